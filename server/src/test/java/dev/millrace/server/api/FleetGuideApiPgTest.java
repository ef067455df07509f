package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of the fleet's page work as they stand. */
class FleetGuideApiPgTest {

  @TempDir Path folder;

  @Test
  void every_command_of_the_page_works_in_its_order() throws Exception {
    try (ServerRig rig = FleetRig.start(folder)) {
      Client client = rig.admin();
      client.asked("upscale/one", "\"prompt\":\"x\"");
      Map<String, String> variables = new HashMap<>();
      variables.put("MILLRACE_URL", client.server().toString());
      variables.put("FLEET_SECRET", FleetRig.SECRET);
      int count = 0;
      for (String written : Curl.commands(Files.readString(Path.of("..", "docs", "fleet.md")))) {
        // The shell leaves the quotes for these, and comes back.
        String command =
            written
                .replace("'$JOB'", variables.getOrDefault("JOB", ""))
                .replace("'$LEASE'", variables.getOrDefault("LEASE", ""))
                .replace("'$KEY'", variables.getOrDefault("KEY", ""))
                .replace("'$UPLOAD'", variables.getOrDefault("UPLOAD", ""))
                .replace("'$SHA256'", "0a".repeat(32));
        Answer answer = Curl.parse(command, variables).run(client.with(null));
        assertThat(answer.status()).as(command + "\n" + answer.text()).isBetween(200, 299);
        if (answer.status() == 201) {
          variables.put("WORKER_TOKEN", answer.at("/token"));
        } else if (command.contains("/poll")) {
          variables.put("JOB", answer.at("/jobs/0/job_id"));
          variables.put("LEASE", answer.at("/jobs/0/lease_token"));
        } else if (command.contains("video/mp4")) {
          variables.put("KEY", answer.at("/key"));
          variables.put("UPLOAD", answer.at("/upload_id"));
        }
        count++;
      }
      assertThat(count).isEqualTo(8);
      rig.examine();
    }
  }
}
