package dev.millrace.cli.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.api.ApiJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Large files in parts, from the command line through a worker and back. */
class LargeFilesEndToEndTest {

  private static final String SECRET = "fleet-secret-of-the-large-files-test";
  private static final int MIB = 1 << 20;
  private static final String CATALOGUE =
      """
      workflow: copy
      title: Copy
      executor: worker
      properties:
        film: {type: file}
      required: [film]
      effects:
        - {effect: copy/plain, title: Plain, credits_cost: 1}
      """;

  /** Reads the job, and hands its one file back under another name. */
  private static final String COPY =
      """
      job=$(cat)
      path=$(printf '%s' "$job" | sed 's/.*"path" *: *"\\([^"]*\\)".*/\\1/')
      out=$(printf '%s' "$job" | sed 's/.*"output_dir" *: *"\\([^"]*\\)".*/\\1/')
      cp "$path" "$out/copy.bin"
      echo '{"output": "copy.bin", "media_type": "application/octet-stream"}'
      """;

  @TempDir Path folder;

  @Test
  void twenty_mebibytes_go_in_and_come_back_in_parts() throws Exception {
    try (Installation installation = new Installation(folder)) {
      throughAWorker(installation);
      Path parts = installation.data().resolve("objects/.unfinished/parts");
      try (Stream<Path> left = Files.walk(parts)) {
        assertThat(left.filter(Files::isRegularFile)).isEmpty();
      }
    }
  }

  @Test
  void the_same_goes_by_way_of_a_bucket() throws Exception {
    try (Bucket bucket = Bucket.open();
        Installation installation = new Installation(folder)) {
      bucket.serve(installation);
      throughAWorker(installation);
    }
  }

  private void throughAWorker(Installation installation) throws Exception {
    Path catalogue = Files.createDirectories(folder.resolve("catalogue"));
    Files.writeString(catalogue.resolve("copy.yaml"), CATALOGUE);
    Path script = Files.writeString(folder.resolve("copy.sh"), COPY);
    byte[] film = new byte[20 * MIB];
    new Random(3).nextBytes(film);
    Path original = Files.write(installation.work().resolve("film.bin"), film);
    installation
        .set("CATALOGUE_DIR", catalogue.toString())
        .set("FLEET_SECRET", SECRET)
        .set("PART_BYTES", Integer.toString(5 * MIB));
    RunningServer server = installation.start();

    Program.Result uploaded = installation.cli("files", "upload", "film.bin", "--json").exits(0);
    assertThat(uploaded.err().lines())
        .containsAll(
            List.of(
                "  0%  uploading  film.bin: 0 B of 21.0 MB",
                " 25%  uploading  film.bin: 5.2 MB of 21.0 MB",
                "100%  uploading  film.bin: 21.0 MB of 21.0 MB"));
    String id = ApiJson.text(uploaded.json(), "id");
    installation.cli("files", "download", id, "-o", "back.bin").exits(0);
    assertThat(installation.work().resolve("back.bin")).hasSameBinaryContentAs(original);

    Map<String, String> settings =
        Map.of(
            "MILLRACE_URL",
            server.client().url().toString(),
            "MILLRACE_FLEET_SECRET",
            SECRET,
            "WORKFLOWS",
            "copy",
            "COMMAND",
            "sh " + script);
    try (RunningWorker worker = RunningWorker.start(folder, "copier", settings)) {
      JsonNode job =
          installation
              .cli("run", "copy/plain", "--json", "--wait", "-i", "film=" + id)
              .exits(0)
              .json()
              .path("job");
      assertThat(ApiJson.text(job, "state")).as(worker.log()).isEqualTo("completed");
      JsonNode output = job.path("outputs").path(0);
      assertThat(ApiJson.number(output, "size")).isEqualTo(film.length);
      installation.cli("files", "download", ApiJson.text(output, "id"), "-o", "copy.bin").exits(0);
      assertThat(installation.work().resolve("copy.bin")).hasSameBinaryContentAs(original);
      assertThat(worker.sigterm()).isEqualTo(143);
    }
    installation.cli("doctor").exits(0);
  }
}
