package dev.millrace.server.api;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * As much of the shell and of curl as the guide uses. What it does not know fails, so that the
 * guide stays simple.
 */
record Curl(String method, String target, List<String> headers, String body) {

  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");
  private static final Pattern VARIABLE = Pattern.compile("\\$([A-Z_]+)");

  /**
   * Every curl command in the text, in its order, with its continued lines, and those of JSON that
   * end in a comma, joined.
   */
  static List<String> commands(String markdown) {
    List<String> commands = new ArrayList<>();
    Matcher blocks = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL).matcher(markdown);
    while (blocks.find()) {
      blocks
          .group(1)
          .replace("\\\n", " ")
          .replaceAll(",\n\\s*", ",")
          .lines()
          .filter(line -> line.startsWith("curl "))
          .forEach(commands::add);
    }
    return commands;
  }

  static Curl parse(String command, Map<String, String> variables) {
    List<String> headers = new ArrayList<>();
    String method = "";
    String target = "";
    String body = "";
    List<String> words = words(command, variables);
    for (int i = 1; i < words.size(); i++) {
      switch (words.get(i)) {
        case "-s", "-N", "-i" -> {}
        case "-o" -> i++;
        case "-X" -> method = words.get(++i);
        case "-d" -> body = words.get(++i);
        case "-H" -> headers.addAll(List.of(words.get(++i).split(": ", 2)));
        case String word when word.startsWith("http") -> target = word;
        case String word -> throw new IllegalArgumentException(word + " in " + command);
      }
    }
    String implied = body.isEmpty() ? "GET" : "POST";
    return new Curl(method.isEmpty() ? implied : method, target, headers, body);
  }

  private static List<String> words(String command, Map<String, String> variables) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(command);
    while (matcher.find()) {
      if (matcher.group(1) != null) {
        words.add(matcher.group(1));
      } else {
        String word = matcher.group(2) == null ? matcher.group(3) : matcher.group(2);
        words.add(
            VARIABLE
                .matcher(word)
                .replaceAll(found ->
                    Matcher.quoteReplacement(
                        Objects.requireNonNull(variables.get(found.group(1)), command))));
      }
    }
    return words;
  }

  /** Sends it as it is: the key comes from the command, not from the client. */
  Answer run(Client client) {
    return client
        .with(null)
        .send(method, target, BodyPublishers.ofString(body), headers.toArray(String[]::new));
  }
}
