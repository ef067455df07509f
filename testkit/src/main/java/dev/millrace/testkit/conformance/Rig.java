package dev.millrace.testkit.conformance;

import dev.millrace.spi.provider.AsyncProvider;
import dev.millrace.spi.provider.Cancellation;
import dev.millrace.testkit.outside.OutsideService;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** A provider and a double of its service, and what that service can't do. */
public interface Rig {

  OutsideService service();

  /**
   * The provider, talking to the double.
   *
   * @param patience for one call
   */
  AsyncProvider provider(Duration patience);

  /** The settings of a good workflow. */
  Map<String, Object> settings();

  /** An output of the service that has more files than anybody takes. */
  String manyOutputs(int count);

  /** Whether the service can be asked for a submit whose answer was lost. */
  default boolean canFind() {
    return true;
  }

  /** Whether its webhooks name the intent in what they sign. */
  default boolean signsTheIntent() {
    return false;
  }

  /** What a cancel of running work may be answered with. */
  default Set<Cancellation> cancels() {
    return Set.of(Cancellation.STOPPED);
  }
}
