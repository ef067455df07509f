package dev.millrace.server.dialect;

import dev.millrace.server.rig.NodeClients;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The npm client of OpenAI, unmodified, on a person's whole way. */
class OpenAiClientPgTest {

  @TempDir Path folder;

  @Test
  void the_client_of_openai_runs_unmodified() {
    try (ServerRig rig = ServerRig.start(folder)) {
      rig.credit("default", 1_000);
      NodeClients.run(
          "openai.mjs",
          Map.of(
              "MILLRACE", rig.url("").replaceFirst("/$", ""),
              "KEY", rig.key(),
              "POOR", rig.newSecret("user", "poor")));
      rig.examine();
    }
  }
}
