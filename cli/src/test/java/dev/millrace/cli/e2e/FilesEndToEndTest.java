package dev.millrace.cli.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.api.ApiJson;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A user's own photo, from the command line to a job's input and back. */
class FilesEndToEndTest {

  private static final String CATALOGUE =
      """
      workflow: portrait
      title: Portrait
      executor: worker
      properties:
        image: {type: file, media_types: [image/png]}
      required: [image]
      effects:
        - effect: portrait/plain
          title: Plain
          credits_cost: 1
      """;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static Installation installation;

  @BeforeAll
  static void the_server_starts() throws IOException {
    Path catalogue = Files.createDirectories(folder.resolve("catalogue"));
    Files.writeString(catalogue.resolve("portrait.yaml"), CATALOGUE);
    installation = new Installation(folder).set("CATALOGUE_DIR", catalogue.toString());
    installation.start();
    ImageIO.write(
        new BufferedImage(64, 48, BufferedImage.TYPE_INT_RGB),
        "png",
        installation.work().resolve("photo.png").toFile());
  }

  @AfterAll
  static void nothing_is_left() {
    installation.close();
  }

  @Test
  void a_photo_is_uploaded_listed_used_fetched_and_deleted() throws Exception {
    JsonNode photo = installation.cli("files", "upload", "photo.png", "--json").exits(0).json();
    String id = ApiJson.text(photo, "id");
    assertThat(ApiJson.number(photo, "width")).isEqualTo(64);
    assertThat(installation.cli("files", "list", "--kind", "input").exits(0).out()).contains(id);
    assertThat(installation.cli("files", "list", "--kind", "output").exits(0).out())
        .doesNotContain(id);

    installation.cli("files", "download", id, "-o", "back.png").exits(0);
    assertThat(installation.work().resolve("back.png"))
        .hasSameBinaryContentAs(installation.work().resolve("photo.png"));

    String job =
        installation
            .cli("run", "portrait/plain", "-q", "-i", "image=@photo.png")
            .exits(0)
            .out()
            .strip();
    JsonNode shown = installation.cli("jobs", "show", job, "--json").exits(0).json();
    String used = ApiJson.text(shown.path("input"), "image");
    assertThat(used).hasSize(36).isNotEqualTo(id);
    assertThat(installation.cli("files", "delete", used, "--yes").exit()).isNotZero();

    installation.cli("files", "delete", id, "--yes").exits(0);
    assertThat(installation.cli("files", "get", id).exit()).isNotZero();
    installation.cli("doctor").exits(0);
  }
}
