package dev.millrace.engine.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class OutputFileTest {

  private static final OutputFile.Content CONTENT =
      new OutputFile.Content("image/png", 10, "0f".repeat(32));

  @Test
  void a_file_tells_of_its_content_and_its_picture() {
    OutputFile file =
        new OutputFile(
            new UUID(0, 1), "k", "a.png", CONTENT, new OutputFile.Picture(8, 9, "t"), null);
    assertThat(file.mediaType()).isEqualTo("image/png");
    assertThat(file.size()).isEqualTo(10);
    assertThat(file.sha256()).isEqualTo("0f".repeat(32));
    assertThat(file.width()).isEqualTo(8);
    assertThat(file.height()).isEqualTo(9);
    assertThat(file.thumbnailKey()).isEqualTo("t");
  }

  @Test
  void what_is_no_picture_has_no_size_in_pixels() {
    OutputFile file =
        new OutputFile(new UUID(0, 1), "k", "a.txt", CONTENT, OutputFile.Picture.NONE, null);
    assertThat(file.width()).isNull();
    assertThat(file.height()).isNull();
    assertThat(file.thumbnailKey()).isNull();
  }
}
