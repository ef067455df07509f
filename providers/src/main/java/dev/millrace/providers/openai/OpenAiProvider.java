package dev.millrace.providers.openai;

import dev.millrace.providers.fetch.FetchClient;
import dev.millrace.providers.fetch.FetchTrouble;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Provider;
import dev.millrace.spi.provider.Work;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Asks a service that speaks OpenAI's API.
 *
 * <p>Input: {@code task} (chat, image, speech or moderation; chat if left out), {@code model}, and
 * what the task needs. Chat: {@code prompt} or {@code messages}, {@code system}, {@code format}
 * (text, markdown, json), {@code variants}, {@code temperature}, {@code top_p}, {@code seed},
 * {@code max_tokens} or {@code max_completion_tokens}, and {@code preview}. Image: {@code prompt},
 * {@code variants}, {@code size}, {@code quality}, {@code style}, {@code background}. Speech:
 * {@code text}, {@code voice}, {@code format} (mp3, wav, opus, flac), {@code speed}, {@code
 * instructions}. Moderation: {@code text}.
 */
public final class OpenAiProvider implements Provider {

  private static final String NAME = "openai";

  private final Map<String, OpenAiTask> tasks;

  /**
   * Asks nothing yet.
   *
   * @param downloads fetches the pictures that the service names by URL
   */
  public OpenAiProvider(OpenAiSettings settings, FetchClient downloads) {
    Service service = new Service(settings);
    this.tasks =
        Map.of(
            "chat", new ChatTask(service),
            "image", new ImageTask(service, downloads),
            "speech", new SpeechTask(service),
            "moderation", new ModerationTask(service));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean needsService() {
    return true;
  }

  /** What costs nothing may be asked again, whatever became of it. */
  @Override
  public boolean mayAskAgain(Work work) {
    try {
      return !task(work).isBilled();
    } catch (Unusable e) {
      return true;
    }
  }

  private OpenAiTask task(Work work) throws Unusable {
    String name =
        new Fields(work.input()).oneOf("task", List.of("chat", "image", "speech", "moderation"));
    return Objects.requireNonNull(tasks.get(name), "a task of each name");
  }

  @Override
  public Outcome execute(Work work) {
    OpenAiTask task;
    try {
      task = task(work);
    } catch (Unusable e) {
      return new Outcome.Failed(e.sentence());
    }
    Outcome outcome = execute(task, work);
    return outcome instanceof Outcome.Uncertain(String message, var retryAfter, _)
            && !task.isBilled()
        ? new Outcome.Unavailable(message, retryAfter)
        : outcome;
  }

  private static Outcome execute(OpenAiTask task, Work work) {
    try {
      return task.run(work);
    } catch (Unusable e) {
      return new Outcome.Failed(e.sentence());
    } catch (FetchTrouble e) {
      return Answers.missing(e.trouble());
    }
  }
}
