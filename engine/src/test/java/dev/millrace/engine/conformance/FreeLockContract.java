package dev.millrace.engine.conformance;

import static dev.millrace.engine.conformance.Scene.ADA;
import static dev.millrace.engine.conformance.Scene.BOB;
import static dev.millrace.engine.conformance.Scene.OTHER_ADA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Row;
import dev.millrace.engine.port.Share;
import dev.millrace.engine.port.Store;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Locking what is free, without waiting for what is not. */
interface FreeLockContract {

  Ground ground();

  Scene scene();

  /** One row of each kind that there is, and one of the same kind beside it. */
  private List<Set<Row>> pairs() {
    Callback.Id first = new Callback.Id("acme", "e1");
    Callback.Id second = new Callback.Id("acme", "e2");
    scene().receive(first, "r", null);
    scene().receive(second, "r", null);
    ground().enroll("a", 1);
    ground().enroll("b", 1);
    JobId adas = scene().submit(ADA).id();
    JobId bobs = scene().submit(BOB).id();
    scene().submit(OTHER_ADA);
    return List.of(
        Scene.inOrder(new Row.OfWallet(ADA), new Row.OfWallet(BOB)),
        Scene.inOrder(new Row.OfPayer(adas), new Row.OfPayer(bobs)),
        Scene.inOrder(new Row.OfShare(new Share.Id(1, 1)), new Row.OfShare(new Share.Id(1, 2))),
        Scene.inOrder(new Row.OfJob(adas), new Row.OfJob(bobs)),
        Scene.inOrder(new Row.OfCallback(first), new Row.OfCallback(second)),
        Scene.inOrder(new Row.OfWorker("a"), new Row.OfWorker("b")));
  }

  @Test
  default void what_somebody_holds_is_told_and_the_rest_is_locked() {
    for (Set<Row> both : pairs()) {
      Row held = both.iterator().next();
      Store second = ground().node();
      scene()
          .transact(tx -> {
            assertThat(tx.lockFree(Set.of(held))).isEmpty();
            assertThat(tx.lockFree(Set.of(held))).as("its own").isEmpty();
            return second.<Set<Row>>transact(theirs -> {
              assertThat(theirs.lockFree(both)).isEqualTo(Set.of(held));
              assertThat(scene().busy(both.toArray(Row[]::new))).isEqualTo(both);
              return both;
            });
          });
      assertThat(scene().busy(both.toArray(Row[]::new))).as("all is let go").isEmpty();
    }
  }

  @Test
  default void what_does_not_exist_is_held_by_nobody_and_what_can_be_made_is_made() {
    Wallet.Owner stranger = new Wallet.Owner(2, "stranger");
    Share.Id place = new Share.Id(2, 2);
    JobId unknown = new JobId(1, UUID.randomUUID());
    Set<Row> rows =
        Set.of(
            new Row.OfWallet(stranger),
            new Row.OfShare(place),
            new Row.OfJob(unknown),
            new Row.OfPayer(unknown),
            new Row.OfCallback(new Callback.Id("no", "body")),
            new Row.OfWorker("nobody"),
            new Row.OfCaps());
    scene()
        .transact(tx -> {
          assertThat(tx.lockFree(rows)).isEmpty();
          return tx.lockWallets(Set.of(stranger));
        });
  }

  @Test
  default void a_payer_is_the_wallet_of_its_job() {
    JobId adas = scene().submit(ADA).id();
    JobId foreign = new JobId(2, adas.uuid());
    scene()
        .transact(tx -> {
          tx.lockWallets(Set.of(ADA));
          return assertThat(
                  scene()
                      .busy(new Row.OfPayer(adas), new Row.OfPayer(foreign), new Row.OfJob(adas)))
              .isEqualTo(Set.of(new Row.OfPayer(adas)));
        });
  }

  @Test
  default void what_others_lock_by_the_other_methods_is_held() {
    ground().enroll("a", 1);
    JobId job = scene().submit(ADA).id();
    Callback.Id callback = new Callback.Id("acme", "e1");
    scene().receive(callback, "r", null);
    Share.Id place = new Share.Id(1, 1);
    scene()
        .transact(tx -> {
          tx.hold(Set.of(job), Set.of(place), Set.of(job));
          tx.lockCallbacks(Set.of(callback));
          Set<Row> held =
              Set.of(
                  new Row.OfWallet(ADA),
                  new Row.OfShare(place),
                  new Row.OfJob(job),
                  new Row.OfCallback(callback));
          assertThat(scene().busy(held.toArray(Row[]::new))).isEqualTo(held);
          assertThat(scene().busy(new Row.OfWorker("a"), new Row.OfWallet(BOB))).isEmpty();
          return held;
        });
    scene()
        .transact(tx -> {
          tx.offer(new TreeSet<>(Set.of("a")), new TreeMap<>());
          return assertThat(scene().busy(new Row.OfWorker("a"))).hasSize(1);
        });
  }
}
