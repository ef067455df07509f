package dev.millrace.postgres.doctor;

import dev.millrace.postgres.records.RecordMapper;
import dev.millrace.postgres.webhooks.Webhooks;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;

/** What came of the last examination that the servers made by themselves; one for all nodes. */
public final class Checkups {

  private static final String BEGIN =
      """
      update checkup
      set began_at = clock_timestamp()
      where began_at <= clock_timestamp() - make_interval(secs => :pause)
      """;

  private static final String END =
      """
      update checkup
      set ended_at = clock_timestamp(),
          laws = :laws,
          not_checked = :not_checked,
          violated = :violated
      """;

  private static final String LAST =
      """
      select ended_at, laws, not_checked, violated
      from checkup
      where ended_at is not null
      """;

  private final Jdbi jdbi;

  public Checkups(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * An examination that has ended.
   *
   * @param notChecked how many of the laws took too long
   * @param violated the laws that don't hold, each as a sentence
   */
  public record View(Instant endedAt, int laws, int notChecked, List<String> violated) {
    public View {
      violated = List.copyOf(violated);
    }
  }

  /** True if nobody has begun for so long; then it is the caller's turn. */
  public boolean begin(Duration pause) {
    return jdbi.withHandle(
        handle -> handle.createUpdate(BEGIN).bind("pause", Webhooks.seconds(pause)).execute() > 0);
  }

  public void end(int laws, int notChecked, List<String> violated) {
    jdbi.useHandle(handle ->
        handle
            .createUpdate(END)
            .bind("laws", laws)
            .bind("not_checked", notChecked)
            .bindArray("violated", String.class, violated)
            .execute());
  }

  /** Empty if there was none yet. */
  public Optional<View> last() {
    return jdbi.withHandle(
        handle -> handle.createQuery(LAST).map(RecordMapper.of(View.class)).findOne());
  }
}
