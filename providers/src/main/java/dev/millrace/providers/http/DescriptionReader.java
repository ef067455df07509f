package dev.millrace.providers.http;

import dev.millrace.providers.http.Description.Meaning;
import dev.millrace.spi.provider.AsyncProvider;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonPointer;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads a description, and names all that is wrong with it. */
final class DescriptionReader {

  /** Reads one document, and refuses a key that comes twice. */
  private static final YAMLMapper YAML =
      YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");
  private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9-]{1,64}");
  private static final Set<String> ORDER =
      Set.of("intent", "job_id", "attempt", "input", "settings", "callback", "run_seconds");
  private static final Set<String> WORK = with(ORDER, "reference");
  private static final int USUAL_SETTLING_SECONDS =
      (int) AsyncProvider.USUAL_SETTLING_TIME.toSeconds();
  private static final List<String> METHODS = List.of("POST", "GET", "PUT", "PATCH", "DELETE");

  private final List<String> mistakes = new ArrayList<>();
  private final Set<String> secrets = new TreeSet<>();

  private static Set<String> with(Set<String> names, String name) {
    Set<String> more = new TreeSet<>(names);
    more.add(name);
    return Set.copyOf(more);
  }

  /**
   * Reads the text.
   *
   * @param knownSecrets the names of secrets that are configured
   */
  static Description read(String text, Set<String> knownSecrets) throws BadDescription {
    JsonNode root;
    try {
      root = YAML.readTree(text);
    } catch (JacksonException e) {
      String why = e.getOriginalMessage();
      throw new BadDescription(
          List.of(
              "this is not valid YAML: "
                  + (why == null ? "" : why.lines().findFirst().orElse(""))));
    }
    if (root == null || !root.isObject()) {
      throw new BadDescription(List.of("the file must be a mapping"));
    }
    DescriptionReader reader = new DescriptionReader();
    Description description = reader.description(new Section("", root, reader.mistakes));
    for (String secret : reader.secrets) {
      if (!knownSecrets.contains(secret)) {
        reader.mistakes.add("the secret " + secret + " is used and not configured");
      }
    }
    if (!reader.mistakes.isEmpty()) {
      throw new BadDescription(reader.mistakes);
    }
    return description;
  }

  private Description description(Section file) {
    String name =
        file.text("provider", NAME, "must be lower case letters, digits and single dashes");
    URI api = api(file);
    Map<String, Template> headers = file.headers("headers", with(ORDER, "secret"));
    remember(headers);
    int patience = file.whole("timeout_seconds", 1, 120, 30);
    int settling = file.whole("settling_seconds", 1, 3600, USUAL_SETTLING_SECONDS);
    Description.Submit submit = submit(file.section("submit"), file.has("submit"), file);
    Description.Collect collect = collect(file.section("collect"), file.has("collect"), file);
    Description.@Nullable Request cancel =
        file.has("cancel") ? alone(file.section("cancel")) : null;
    Description.@Nullable Find find = file.has("find") ? find(file.section("find")) : null;
    Description.@Nullable Webhook webhook =
        file.has("webhook") ? webhook(file.section("webhook")) : null;
    file.close();
    return new Description(
        name,
        new Description.Api(
            api, headers, Duration.ofSeconds(patience), Duration.ofSeconds(settling)),
        submit,
        collect,
        cancel,
        find,
        webhook);
  }

  private static URI api(Section file) {
    String text = file.text("base_url");
    try {
      URI uri = URI.create(text);
      boolean good =
          uri.getHost() != null
              && ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()))
              && uri.getRawQuery() == null
              && uri.getRawUserInfo() == null
              && !text.endsWith("/");
      if (good) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    if (!text.isEmpty()) {
      file.complain("base_url", "must be https://host/path, without a slash at its end");
    }
    return URI.create("https://invalid.example");
  }

  private Description.Submit submit(Section section, boolean there, Section file) {
    if (!there) {
      file.complain("submit", "is missing");
      return new Description.Submit(
          new Description.Request("POST", Template.of("/"), Map.of()),
          section.body("body", ORDER),
          JsonPointer.empty(),
          Optional.empty());
    }
    Description.Request request = request(section, "POST", ORDER);
    JsonNode body = section.body("body", ORDER);
    JsonPointer reference = section.pointer("reference");
    Optional<JsonPointer> error = section.optionalPointer("error");
    section.close();
    return new Description.Submit(request, body, reference, error);
  }

  private Description.Collect collect(Section section, boolean there, Section file) {
    if (!there) {
      file.complain("collect", "is missing");
    }
    Section read =
        there ? section : new Section("collect", section.body("", Set.of()), new ArrayList<>());
    Description.Request request = request(read, "GET", WORK);
    JsonPointer status = read.pointer("status");
    Map<String, Meaning> meanings = meanings(read.section("statuses"));
    if (there && !meanings.containsValue(Meaning.SUCCEEDED)) {
      read.complain("statuses.succeeded", "must name at least one status");
    }
    JsonPointer output = read.pointer("output");
    Optional<JsonPointer> error = read.optionalPointer("error");
    List<String> words =
        read.texts("rejected_words").stream().map(word -> word.toLowerCase(Locale.ROOT)).toList();
    Optional<JsonPointer> progress = read.optionalPointer("progress");
    Optional<JsonPointer> seconds = read.optionalPointer("seconds");
    int poll = read.whole("poll_seconds", 1, 300, 5);
    read.close();
    return new Description.Collect(
        request,
        status,
        meanings,
        output,
        new Description.Trouble(error, words),
        progress,
        seconds,
        Duration.ofSeconds(poll));
  }

  private static Map<String, Meaning> meanings(Section section) {
    Map<String, Meaning> meanings = new LinkedHashMap<>();
    for (Meaning meaning : Meaning.values()) {
      String label = meaning.name().toLowerCase(Locale.ROOT);
      for (String status : section.texts(label)) {
        if (meanings.put(status, meaning) != null) {
          section.complain(label, "names " + status + ", which has another meaning already");
        }
      }
    }
    section.close();
    return meanings;
  }

  private Description.Request alone(Section section) {
    Description.Request request = request(section, "POST", WORK);
    section.close();
    return request;
  }

  private Description.Find find(Section section) {
    Description.Request request = request(section, "GET", ORDER);
    if (!request.path().names().contains("intent")) {
      section.complain(
          "path", "must have ${intent}: a list of everything ends somewhere, and proves nothing");
    }
    JsonPointer items = section.pointer("items");
    JsonPointer match = section.pointer("match");
    JsonPointer reference = section.pointer("reference");
    section.close();
    return new Description.Find(request, items, match, reference);
  }

  private Description.Request request(Section section, String usual, Set<String> names) {
    String method = section.oneOf("method", METHODS, usual);
    String path = section.text("path");
    if (!path.isEmpty() && !path.startsWith("/")) {
      section.complain("path", "must begin with a slash; it goes after base_url");
    }
    Map<String, Template> headers = section.headers("headers", with(names, "secret"));
    remember(headers);
    return new Description.Request(method, section.template("path", path, names), headers);
  }

  private Description.Webhook webhook(Section section) {
    String scheme = section.oneOf("scheme", List.of("standard", "hmac_sha256", "token"), "");
    String secret = section.text("secret");
    if (!secret.isEmpty()) {
      secrets.add(secret);
    }
    Signing signing =
        switch (scheme) {
          case "hmac_sha256" ->
              new Signing.Hmac(
                  secret,
                  header(section),
                  section.optional("prefix").orElse(""),
                  section.oneOf("encoding", List.of("hex", "base64"), "hex").equals("base64"),
                  section.optional("timestamp_header"));
          case "token" -> new Signing.Token(secret, header(section));
          default -> new Signing.Standard(secret);
        };
    JsonPointer root = section.optionalPointer("root").orElse(JsonPointer.empty());
    JsonPointer reference = section.pointer("reference");
    Optional<JsonPointer> event = section.optionalPointer("event");
    Optional<JsonPointer> intent = section.optionalPointer("intent");
    section.close();
    return new Description.Webhook(signing, root, reference, event, intent);
  }

  private static String header(Section section) {
    return section.text("header", HEADER, "must be the name of a header");
  }

  private void remember(Map<String, Template> headers) {
    for (Template value : new HashMap<>(headers).values()) {
      value.names().stream()
          .filter(name -> name.startsWith("secret."))
          .map(name -> name.substring("secret.".length()))
          .forEach(secrets::add);
    }
  }
}
