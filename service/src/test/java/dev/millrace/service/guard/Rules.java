package dev.millrace.service.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Rules from a text, and requests to judge by them. */
final class Rules {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private Rules() {}

  static PromptGuard guard(Path directory, String yaml) throws IOException {
    Path file = Files.writeString(directory.resolve("rules.yaml"), yaml);
    GuardRules rules = new GuardRules(file);
    if (rules.reload() instanceof GuardReload.Rejected rejected) {
      throw new AssertionError(rejected.message());
    }
    return new PromptGuard(rules);
  }

  static GateRequest prompt(String text) {
    return request(JSON.createObjectNode().put("prompt", text));
  }

  static GateRequest json(String json) {
    return request((ObjectNode) JSON.readTree(json));
  }

  static GateRequest request(ObjectNode input) {
    return new GateRequest(1, "ada", "sketch/poster", input);
  }
}
