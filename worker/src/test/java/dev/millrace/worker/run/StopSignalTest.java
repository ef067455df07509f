package dev.millrace.worker.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StopSignalTest {

  /**
   * Else the interrupt would hit the call that withdraws the work, and nobody would do it again.
   */
  @Test
  void the_interrupt_comes_before_the_news_of_the_stop() throws InterruptedException {
    StopSignal signal = new StopSignal();
    List<Boolean> known = new ArrayList<>();
    Thread worker =
        new Thread(signal::guard) {
          @Override
          public void interrupt() {
            known.add(signal.stopped());
            super.interrupt();
          }
        };
    worker.start();
    worker.join();
    signal.stop(Why.CANCELED);
    assertThat(known).containsExactly(false);
    assertThat(signal.stopped()).isTrue();
  }

  @Test
  void a_stop_before_the_work_begins_interrupts_it_when_it_does() throws InterruptedException {
    StopSignal signal = new StopSignal();
    signal.stop(Why.SHUTDOWN);
    signal.guard();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(signal.await(Duration.ofMinutes(1))).isTrue();
  }
}
