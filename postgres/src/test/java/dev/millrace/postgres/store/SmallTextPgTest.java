package dev.millrace.postgres.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.engine.job.Summary;
import dev.millrace.postgres.EngineRig;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A text that a report brings is there if and only if the report counted. */
class SmallTextPgTest {

  private static final String WORDS = "ein Leuchtturm, 灯台, \uD83D\uDDFC\n";

  private final EngineRig rig = EngineRig.open();
  private Leased leased;

  @BeforeEach
  void somebody_works() throws InterruptedException {
    rig.pay(rig.user("ada"), 100);
    rig.submit(rig.order());
    leased = rig.lease();
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    rig.close();
  }

  @Test
  void a_report_that_counts_leaves_its_text_as_it_came() throws Exception {
    assertThat(rig.engine().report(complete("texts/one", leased.token())))
        .isInstanceOf(Report.Result.Done.class);
    assertThat(rig.database().texts().find("texts/one")).hasValue(WORDS.getBytes(UTF_8));
  }

  @Test
  void a_report_that_is_too_late_leaves_none() throws Exception {
    assertThat(rig.engine().report(complete("texts/two", UUID.randomUUID())))
        .isInstanceOf(Report.Result.StaleLease.class);
    assertThat(rig.database().texts().find("texts/two")).isEmpty();
  }

  private Report.Complete complete(String key, UUID token) {
    OutputFile text =
        new OutputFile(
            UUID.randomUUID(),
            key,
            "words.txt",
            new OutputFile.Content("text/plain", WORDS.getBytes(UTF_8).length, "0f".repeat(32)),
            OutputFile.Picture.NONE,
            WORDS);
    return new Report.Complete(leased.job().id(), token, List.of(text), Summary.EMPTY);
  }
}
