package dev.millrace.worker.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** One line per event, and nothing in it that must not leave the machine. */
class EventLogTest {

  private final ByteArrayOutputStream text = new ByteArrayOutputStream();

  @Test
  void an_event_is_one_line_of_text() {
    log(WorkerLog.Look.TEXT).warn("job.failed", "job", "j-1", "reason", "two\nlines \"quoted\"");
    assertThat(written())
        .endsWith(" WARN job.failed job=j-1 reason=\"two lines 'quoted'\"\n")
        .hasLineCount(1);
  }

  @Test
  void an_event_is_one_line_of_json() {
    log(WorkerLog.Look.JSON).info("job.reported", "job", "j-1", "seconds", 1.5, "on", true);
    assertThat(written())
        .isEqualTo(
            "{\"time\":\"2026-01-02T03:04:05Z\",\"level\":\"info\",\"event\":\"job.reported\","
                + "\"job\":\"j-1\",\"seconds\":1.5,\"on\":true}\n");
  }

  @Test
  void signatures_tokens_and_folders_stay_out() {
    log(WorkerLog.Look.TEXT)
        .info(
            "x",
            "a",
            new IOException("GET https://u:p@bucket.example.org/k?X-Amz-Signature=canary failed"),
            "b",
            "token mrw_canary0123456 and Bearer canary.canary",
            "c",
            "cannot open /opt/secret/place/canary/picture.png");
    assertThat(written())
        .doesNotContain("canary", "u:p")
        .contains("bucket.example.org", "picture.png", "IOException");
  }

  @Test
  void a_message_has_an_end() {
    assertThat(Clean.text("x".repeat(1_000_000))).hasSize(300);
  }

  private WorkerLog log(WorkerLog.Look look) {
    Clock clock = Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC);
    return new WorkerLog(look, new PrintStream(text, true, StandardCharsets.UTF_8), clock);
  }

  private String written() {
    return text.toString(StandardCharsets.UTF_8);
  }
}
