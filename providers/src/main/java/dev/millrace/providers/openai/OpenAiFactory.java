package dev.millrace.providers.openai;

import dev.millrace.providers.fetch.FetchClient;
import dev.millrace.providers.fetch.FetchPolicy;
import dev.millrace.spi.provider.Performer;
import dev.millrace.spi.provider.ProviderFactory;
import dev.millrace.spi.provider.ProviderSetting;
import dev.millrace.spi.provider.ProviderSetting.Kind;
import dev.millrace.spi.provider.ProviderSettings;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Makes the provider of an OpenAI-compatible service, once its address is set. */
public final class OpenAiFactory implements ProviderFactory {

  private static final String URL = "openai-url";
  private static final String KEY = "openai-api-key";
  private static final String CHAT = "openai-chat-model";
  private static final String IMAGE = "openai-image-model";
  private static final String SPEECH = "openai-speech-model";
  private static final String MODERATION = "openai-moderation-model";
  private static final String TIMEOUT = "openai-timeout-seconds";

  @Override
  public String name() {
    return "openai";
  }

  @Override
  public List<ProviderSetting> settings() {
    return List.of(
        ProviderSetting.optional(
            URL,
            new Kind.Address(),
            "no `copy` and no `tts`; lists of items are made without a model",
            "An OpenAI-compatible service that runs jobs, such as `https://api.openai.com/v1`."),
        ProviderSetting.optional(
            KEY, new Kind.Secret(), "sent without a key", "The key of that service."),
        ProviderSetting.of(
            CHAT,
            new Kind.Word(),
            "gpt-4o-mini",
            "The model that writes, where an effect names none."),
        ProviderSetting.of(
            IMAGE,
            new Kind.Word(),
            "gpt-image-1",
            "The model that draws, where an effect names none."),
        ProviderSetting.of(
            SPEECH,
            new Kind.Word(),
            "gpt-4o-mini-tts",
            "The model that speaks, where an effect names none."),
        ProviderSetting.of(
            MODERATION,
            new Kind.Word(),
            "${millrace.moderation-model}",
            "The model that judges, where an effect names none."),
        ProviderSetting.of(
            TIMEOUT,
            new Kind.Seconds(1, 3_600),
            "600",
            "How long one answer of that service may take."));
  }

  @Override
  public Optional<Account> account() {
    return Optional.of(new Account(URL, KEY));
  }

  @Override
  public List<Performer> performers(ProviderSettings settings) {
    return settings
        .address(URL)
        .map(url -> performers(url, settings))
        .orElseGet(() -> List.of(new ItemsProvider(null)));
  }

  private static List<Performer> performers(URI url, ProviderSettings settings) {
    OpenAiSettings service =
        new OpenAiSettings(
            url,
            settings.secret(KEY).orElse(null),
            new OpenAiSettings.Models(
                settings.text(CHAT).orElseThrow(),
                settings.text(IMAGE).orElseThrow(),
                settings.text(SPEECH).orElseThrow(),
                settings.text(MODERATION).orElseThrow()),
            settings.duration(TIMEOUT).orElseThrow());
    // The service may well serve its own pictures.
    FetchClient downloads = new FetchClient(FetchPolicy.of(settings.fetchAllow()).allowing(url));
    return List.of(
        new OpenAiProvider(service, downloads),
        new ItemsProvider(new ChatTask(new Service(service))));
  }
}
