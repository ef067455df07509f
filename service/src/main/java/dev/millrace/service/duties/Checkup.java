package dev.millrace.service.duties;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.doctor.CheckLimits;
import dev.millrace.postgres.doctor.Checkups;
import dev.millrace.postgres.doctor.Doctor;
import dev.millrace.postgres.doctor.LawFinding;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the laws now and then, so that somebody hears of a broken one before he asks. One node
 * does it for all, on one connection, with little patience: what a busy database can't answer
 * quickly is left unchecked.
 */
public final class Checkup implements Duty {

  /** How often a node looks whether it is time. */
  public static final Duration LOOK = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(Checkup.class);
  private static final CheckLimits LITTLE =
      new CheckLimits(Duration.ofSeconds(3), Duration.ofMillis(100), Duration.ofSeconds(20));

  private final Checkups checkups;
  private final Doctor doctor;
  private final Duration pause;
  private volatile int violated;

  Checkup(Checkups checkups, Doctor doctor, Duration pause) {
    this.checkups = checkups;
    this.doctor = doctor;
    this.pause = pause;
  }

  /** The duty as it is set up. */
  public static Checkup of(Duration pause, Database database, MeterRegistry registry) {
    Checkup checkup = new Checkup(database.checkups(), database.doctor(LITTLE), pause);
    Gauge.builder("millrace.doctor.violated", () -> checkup.violated)
        .description("How many invariants did not hold when they were last checked by themselves")
        .register(registry);
    return checkup;
  }

  @Override
  public String name() {
    return "checkup";
  }

  @Override
  public void run() {
    if (pause.isPositive() && checkups.begin(pause)) {
      examine();
    }
    violated = checkups.last().map(last -> last.violated().size()).orElse(0);
  }

  private void examine() {
    List<LawFinding> findings = doctor.examine();
    List<LawFinding> broken = with(findings, LawFinding.Status.VIOLATED);
    for (LawFinding finding : broken) {
      LOG.error(
          "The invariant {} does not hold ({} violations); millrace doctor tells more",
          finding.name(),
          finding.violations());
    }
    checkups.end(
        findings.size(),
        with(findings, LawFinding.Status.NOT_CHECKED).size(),
        broken.stream().map(LawFinding::law).toList());
  }

  private static List<LawFinding> with(List<LawFinding> findings, LawFinding.Status status) {
    return findings.stream().filter(finding -> finding.status() == status).toList();
  }
}
