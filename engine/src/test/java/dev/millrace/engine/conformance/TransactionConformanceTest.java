package dev.millrace.engine.conformance;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/** What {@link dev.millrace.engine.port.Transaction} promises; every store extends this. */
public abstract class TransactionConformanceTest
    implements WalletContract,
        RequestContract,
        ShareContract,
        JobContract,
        InboxContract,
        QueueContract,
        RoomContract,
        FreeLockContract {

  private @Nullable Ground ground;
  private @Nullable Scene scene;

  /** One that is empty. */
  protected abstract Ground emptyGround() throws Exception;

  @BeforeEach
  void set_the_scene() throws Exception {
    Ground empty = emptyGround();
    ground = empty;
    scene = new Scene(empty);
  }

  @Override
  public final Ground ground() {
    if (ground == null) {
      throw new IllegalStateException("not set yet");
    }
    return ground;
  }

  @Override
  public final Scene scene() {
    if (scene == null) {
      throw new IllegalStateException("not set yet");
    }
    return scene;
  }
}
