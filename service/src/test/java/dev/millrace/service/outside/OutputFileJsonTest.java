package dev.millrace.service.outside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.job.OutputFile;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class OutputFileJsonTest {

  private static final OutputFile PICTURE =
      new OutputFile(
          new UUID(0, 7),
          "tenants/1/a.png",
          "a.png",
          new OutputFile.Content("image/png", 5_000_000_000L, "ab".repeat(32)),
          new OutputFile.Picture(640, 480, "tenants/1/a.thumb"),
          null);

  private static final OutputFile TEXT =
      new OutputFile(
          new UUID(0, 8),
          "tenants/1/b.txt",
          "b.txt",
          new OutputFile.Content("text/plain", 2, "cd".repeat(32)),
          OutputFile.Picture.NONE,
          "hi");

  @Test
  void what_is_written_is_read() {
    assertThat(OutputFileJson.read(OutputFileJson.write(List.of(PICTURE, TEXT))))
        .containsExactly(PICTURE, TEXT);
  }

  @Test
  void a_late_result_that_was_stored_long_ago_can_be_adopted() {
    String stored =
        """
        [{"height":480,"id":"00000000-0000-0000-0000-000000000007","key":"tenants/1/a.png",
          "mediaType":"image/png","name":"a.png","sha256":"%s","size":5000000000,"text":null,
          "thumbnailKey":"tenants/1/a.thumb","width":640}]
        """
            .formatted("ab".repeat(32));
    assertThat(OutputFileJson.read(stored)).containsExactly(PICTURE);
  }
}
