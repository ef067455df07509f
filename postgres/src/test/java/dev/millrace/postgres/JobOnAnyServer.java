package dev.millrace.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.lifecycle.State;

/**
 * A process of its own that migrates a database and brings one job from its order to its end, on
 * the server that {@code millrace.test.postgres.port} names. The doctor has the last word.
 */
public final class JobOnAnyServer {

  private JobOnAnyServer() {}

  public static void main(String[] arguments) throws Exception {
    try (EngineRig rig = EngineRig.open()) {
      Leased leased = rig.running();
      rig.report(EngineRig.heartbeat(leased, 50));
      rig.report(EngineRig.complete(leased, 3));
      assertThat(rig.state(leased.job().id())).isEqualTo(State.COMPLETED);
      assertThat(rig.balance(rig.user("ada"))).isEqualTo(2);
    }
    System.out.println("COMPLETED");
  }
}
