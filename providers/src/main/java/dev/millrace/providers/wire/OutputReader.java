package dev.millrace.providers.wire;

import dev.millrace.spi.MediaTypes;
import dev.millrace.spi.provider.Elsewhere;
import dev.millrace.spi.provider.Output;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * Makes outputs of what a service calls its output: an address, a text, or any list or object of
 * them.
 *
 * <p>Addresses anywhere inside count as files. Where there is none, the output is the text itself
 * (the pieces of a list are one text: language models stream them), or the whole value as JSON.
 */
public final class OutputReader {

  /** More than any model makes, and few enough to be stored. */
  public static final int MOST_OUTPUTS = 200;

  private static final int LONGEST_NAME = 120;

  private final Function<URI, Map<String, String>> headers;
  private final Predicate<String> addressKey;

  /**
   * Makes a reader.
   *
   * @param headers what must be sent to fetch an address; nothing to hosts that aren't the
   *     service's own
   * @param addressKey under which keys a bare text may be an address: models repeat their input,
   *     and somebody's prompt is not an output
   */
  public OutputReader(Function<URI, Map<String, String>> headers, Predicate<String> addressKey) {
    this.headers = headers;
    this.addressKey = addressKey;
  }

  /** What a service says can't be taken as outputs. */
  public static final class Unreadable extends Exception {
    Unreadable(String message) {
      super(message);
    }
  }

  /**
   * Reads the outputs.
   *
   * @return at least one
   */
  public List<Output> read(JsonNode output) throws Unreadable {
    List<Output> files = new ArrayList<>();
    gather(output, "", files);
    if (!files.isEmpty()) {
      return files;
    }
    String text = text(output);
    if (!text.isEmpty()) {
      return List.of(bytes("output.txt", "text/plain", text));
    }
    if (isEmpty(output)) {
      throw new Unreadable("The service says it succeeded, and gave no output.");
    }
    return List.of(bytes("output.json", "application/json", WireJson.write(output)));
  }

  private void gather(JsonNode node, String key, List<Output> files) throws Unreadable {
    if (files.size() > MOST_OUTPUTS) {
      throw new Unreadable("The service gave more than " + MOST_OUTPUTS + " outputs.");
    }
    if (node.isString()) {
      if (key.isEmpty() || addressKey.test(key)) {
        file(node.stringValue(), Optional.empty(), Optional.empty(), files);
      }
    } else if (node.isArray()) {
      for (JsonNode item : node.values()) {
        gather(item, key, files);
      }
    } else if (node.isObject()) {
      Optional<String> url = WireJson.text(node, "url");
      int before = files.size();
      if (url.isPresent()) {
        file(
            url.get(),
            WireJson.text(node, "content_type"),
            WireJson.text(node, "file_name"),
            files);
      }
      // A thing with an address of its own is one file, whatever else is said about it.
      if (files.size() == before) {
        for (var property : node.properties()) {
          gather(property.getValue(), property.getKey(), files);
        }
      }
    }
  }

  private void file(String text, Optional<String> type, Optional<String> name, List<Output> files)
      throws Unreadable {
    if (text.regionMatches(true, 0, "data:", 0, "data:".length())) {
      DataUrl data =
          DataUrl.read(text).orElseThrow(() -> new Unreadable("A data: URL can't be read."));
      String named =
          name.map(OutputReader::clean)
              .filter(clean -> !clean.isEmpty())
              .orElse(numbered(files, MediaTypes.extension(data.mediaType())));
      files.add(new Output(named, data.mediaType(), data.content()));
      return;
    }
    address(text)
        .ifPresent(uri -> {
          String last = uri.getPath() == null ? "" : clean(uri.getPath());
          String named =
              name.map(OutputReader::clean).filter(clean -> !clean.isEmpty()).orElse(last);
          String guessed = MediaTypes.of(type.orElse(""), named);
          if (named.isEmpty()) {
            named = numbered(files, MediaTypes.extension(guessed));
          }
          files.add(new Output(named, guessed, new Elsewhere(uri, headers.apply(uri))));
        });
  }

  /** The address in a text, if the text is one and nothing else. */
  static Optional<URI> address(String text) {
    if (!text.startsWith("https://") && !text.startsWith("http://")) {
      return Optional.empty();
    }
    try {
      URI uri = new URI(text);
      return uri.getHost() == null || uri.getRawUserInfo() != null
          ? Optional.empty()
          : Optional.of(uri);
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  /** The text of a value that is one, or the pieces of one. */
  private static String text(JsonNode node) {
    if (node.isString()) {
      return node.stringValue();
    }
    if (!node.isArray()) {
      return "";
    }
    StringBuilder pieces = new StringBuilder();
    for (JsonNode piece : node.values()) {
      if (!piece.isString()) {
        return "";
      }
      pieces.append(piece.stringValue());
    }
    return pieces.toString();
  }

  private static boolean isEmpty(JsonNode node) {
    return node.isNull()
        || node.isMissingNode()
        || (node.isContainer() && node.isEmpty())
        || node.isString()
        || (node.isArray() && node.values().stream().allMatch(OutputReader::isEmpty));
  }

  private static Output bytes(String name, String type, String text) {
    return new Output(name, type, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String numbered(List<Output> files, String extension) {
    return "output-" + (files.size() + 1) + "." + extension;
  }

  /** The last segment of a path, without anything that a file's name can't have. */
  private static String clean(String path) {
    String last = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    String plain = last.replaceAll("[^A-Za-z0-9._-]", "_").replaceFirst("^[._-]+", "");
    return plain.length() <= LONGEST_NAME ? plain : plain.substring(plain.length() - LONGEST_NAME);
  }
}
