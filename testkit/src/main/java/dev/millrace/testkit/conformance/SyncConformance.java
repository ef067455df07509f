package dev.millrace.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import dev.millrace.spi.provider.Provider;
import dev.millrace.spi.provider.Work;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What every provider does that runs its work here and at once. */
public abstract class SyncConformance {

  protected abstract Provider provider();

  /** An input that succeeds. */
  protected abstract Map<String, Object> good();

  /** An input that a safety filter refuses. */
  protected abstract Map<String, Object> refused();

  /** An input that can never succeed. */
  protected abstract Map<String, Object> impossible();

  /** An attempt that remembers its progress, and can be canceled from its start. */
  private record Attempt(Map<String, Object> input, List<Integer> percents, boolean canceled)
      implements Work {

    @Override
    public String jobId() {
      return "job_test";
    }

    @Override
    public int attempt() {
      return 1;
    }

    @Override
    public void progress(int percent, String step, String message) {
      percents.add(percent);
    }
  }

  private Outcome run(Map<String, Object> input) throws InterruptedException {
    return provider().execute(new Attempt(input, new ArrayList<>(), false));
  }

  @Test
  void progress_only_rises_and_ends_at_100() throws InterruptedException {
    Attempt attempt = new Attempt(good(), new ArrayList<>(), false);

    assertThat(provider().execute(attempt)).isInstanceOf(Outcome.Succeeded.class);
    assertThat(attempt.percents()).isSortedAccordingTo(Comparator.naturalOrder());
    assertThat(attempt.percents().getLast()).isEqualTo(100);
  }

  @Test
  void an_output_writes_the_same_bytes_as_often_as_it_is_asked() throws Exception {
    Outcome.Succeeded succeeded = (Outcome.Succeeded) run(good());

    for (Output output : succeeded.outputs()) {
      assertThat(bytes(output)).isEqualTo(bytes(output)).isNotEmpty();
    }
  }

  private static byte[] bytes(Output output) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    output.content().writeTo(out);
    return out.toByteArray();
  }

  @Test
  void a_canceled_attempt_stops() throws InterruptedException {
    assertThat(provider().execute(new Attempt(good(), new ArrayList<>(), true)))
        .isEqualTo(new Outcome.Canceled());
  }

  @Test
  void a_safety_filter_rejects() throws InterruptedException {
    assertThat(run(refused())).isInstanceOf(Outcome.Rejected.class);
  }

  @Test
  void an_impossible_input_fails_for_good_and_says_why() throws InterruptedException {
    Outcome outcome = run(impossible());

    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    assertThat(((Outcome.Failed) outcome).message()).isNotBlank();
  }
}
