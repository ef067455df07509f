package dev.millrace.web.console.studio;

import java.net.URI;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The same call outside the console, to copy. The key is never in it. */
public record Snippets(String curl, String cli, String java) {

  static Snippets of(URI server, String effect, ObjectNode input) {
    ObjectNode body = JsonMapper.shared().createObjectNode().put("effect", effect);
    body.set("input", input);
    String json = body.toString();
    return new Snippets(
        """
        curl %s/api/jobs \\
          -H "Authorization: Bearer $MILLRACE_API_KEY" \\
          -H "Content-Type: application/json" \\
          -d %s\
        """
            .formatted(server, quoted(json)),
        cli(effect, input),
        """
        HttpRequest request = HttpRequest.newBuilder(URI.create("%s/api/jobs"))
            .header("Authorization", "Bearer " + System.getenv("MILLRACE_API_KEY"))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(%s))
            .build();
        HttpClient.newHttpClient().send(request, BodyHandlers.ofString());\
        """
            .formatted(server, JsonMapper.shared().writeValueAsString(json)));
  }

  private static String cli(String effect, ObjectNode input) {
    StringBuilder line = new StringBuilder("./millrace run ").append(effect);
    for (Map.Entry<String, JsonNode> entry : input.properties()) {
      JsonNode value = entry.getValue();
      line.append(" \\\n  -i ")
          .append(
              quoted(
                  entry.getKey()
                      + "="
                      + (value.isString() ? value.stringValue() : value.toString())));
    }
    return line.append(" \\\n  --wait").toString();
  }

  /** For a POSIX shell. */
  private static String quoted(String text) {
    return text.matches("[A-Za-z0-9_./=:-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
