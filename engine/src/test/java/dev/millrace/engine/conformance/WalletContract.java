package dev.millrace.engine.conformance;

import static dev.millrace.engine.conformance.Scene.ADA;
import static dev.millrace.engine.conformance.Scene.BOB;
import static dev.millrace.engine.conformance.Scene.HOUR;
import static dev.millrace.engine.conformance.Scene.OTHER_ADA;
import static dev.millrace.engine.conformance.Scene.inOrder;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.SubmitMany;
import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Row;
import dev.millrace.engine.port.Transaction;
import dev.millrace.engine.port.Transaction.BatchUse;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Wallets, payments and batches' keys. */
interface WalletContract {

  Ground ground();

  Scene scene();

  private Wallet wallet(Wallet.Owner owner) {
    return scene().transact(tx -> locked(tx, owner));
  }

  private static Wallet locked(Transaction tx, Wallet.Owner owner) {
    return Objects.requireNonNull(tx.lockWallets(Set.of(owner)).get(owner));
  }

  @Test
  default void a_wallet_is_made_on_first_use_and_found_by_tenant_and_user() {
    Set<Wallet.Owner> owners = Set.of(ADA, BOB, OTHER_ADA, new Wallet.Owner(2, "new"));
    Map<Wallet.Owner, Wallet> first = scene().transact(tx -> tx.lockWallets(owners));
    assertThat(first.keySet()).isEqualTo(owners);
    Set<Long> ids = new HashSet<>();
    first.forEach((owner, wallet) -> {
      assertThat(wallet.owner()).isEqualTo(owner);
      assertThat(wallet.balance()).isEqualTo(owner.user().equals("new") ? 0 : 1_000);
      ids.add(wallet.id());
    });
    assertThat(ids).hasSize(4);
    Map<Wallet.Owner, Wallet> again = ground().node().transact(tx -> tx.lockWallets(owners));
    assertThat(again).isEqualTo(first);
  }

  @Test
  default void who_waits_for_a_wallet_sees_what_was_written_meanwhile_and_a_later_clock() {
    Instant begun = ground().now();
    var seen =
        ground()
            .meet(
                tx -> Scene.decide(tx, new TopUp.Booking(), new TopUp(ADA, 7, "more", null)),
                tx -> Map.entry(locked(tx, ADA).balance(), tx.now()),
                () -> scene().pass(HOUR));
    assertThat(seen).isEqualTo(Map.entry(1_007L, begun.plus(HOUR)));
  }

  @Test
  default void wallets_are_locked_from_the_lowest_id() {
    Set<Wallet.Owner> downwards = inOrder(BOB, ADA);
    ground()
        .meet(
            tx -> tx.lockWallets(Set.of(BOB)),
            tx -> tx.lockWallets(downwards),
            () -> assertThat(scene().busy(new Row.OfWallet(ADA))).hasSize(1));
    ground()
        .meet(
            tx -> tx.lockWallets(Set.of(ADA)),
            tx -> tx.lockWallets(downwards),
            () -> assertThat(scene().busy(new Row.OfWallet(BOB))).isEmpty());
  }

  @Test
  default void payers_are_locked_from_the_lowest_id_whatever_their_jobs_are() {
    JobId bobs = scene().submit(BOB).id();
    JobId adas = scene().submit(ADA).id();
    Set<JobId> both = inOrder(bobs, adas);
    ground()
        .meet(
            tx -> tx.lockWallets(Set.of(BOB)),
            tx -> tx.hold(both, Set.of(), Set.of()),
            () -> assertThat(scene().busy(new Row.OfWallet(ADA))).hasSize(1));
    ground()
        .meet(
            tx -> tx.lockWallets(Set.of(ADA)),
            tx -> tx.hold(both, Set.of(), Set.of()),
            () -> assertThat(scene().busy(new Row.OfWallet(BOB))).isEmpty());
  }

  @Test
  default void a_job_is_paid_by_its_own_wallet_and_an_unknown_one_by_none() {
    Job first = scene().submit(ADA);
    Job second = scene().submit(ADA);
    JobId foreign = new JobId(2, first.id().uuid());
    JobId unknown = new JobId(1, UUID.randomUUID());
    Set<JobId> settled = Set.of(first.id(), second.id(), foreign, unknown);
    var held = scene().transact(tx -> tx.hold(settled, Set.of(), Set.of(first.id(), foreign)));
    Wallet adas = wallet(ADA);
    assertThat(held.wallets()).isEqualTo(Map.of(adas.id(), adas));
    assertThat(held.jobs()).isEqualTo(Map.of(first.id(), first));
    assertThat(held.shares()).isEmpty();
  }

  @Test
  default void a_payment_is_found_by_its_wallet_and_key() {
    scene().pay(ADA, 7, "k");
    scene().pay(ADA, 9, "k2");
    scene().pay(OTHER_ADA, 8, "k");
    scene().submit(ADA);
    assertThat(payment(ADA, "k")).hasValue(7);
    assertThat(payment(ADA, "k2")).hasValue(9);
    assertThat(payment(OTHER_ADA, "k")).hasValue(8);
    assertThat(payment(ADA, "k3")).isEmpty();
    assertThat(payment(ADA, "")).isEmpty();
    assertThat(payment(BOB, "k")).isEmpty();
  }

  private OptionalLong payment(Wallet.Owner owner, String key) {
    return scene().transact(tx -> tx.payment(locked(tx, owner).id(), key));
  }

  @Test
  default void a_batch_is_found_by_its_wallet_and_key() {
    UUID first = batch(ADA, "k", "f1");
    UUID second = batch(ADA, "k2", "f2");
    UUID others = batch(OTHER_ADA, "k", "f3");
    scene()
        .submitMany(
            new SubmitMany(scene().nextId(), ADA, null, "f4", false, List.of(scene().order(ADA))));
    assertThat(found(ADA, "k")).isEqualTo(new BatchUse(first, "f1"));
    assertThat(found(ADA, "k2")).isEqualTo(new BatchUse(second, "f2"));
    assertThat(found(OTHER_ADA, "k")).isEqualTo(new BatchUse(others, "f3"));
    assertThat(found(ADA, "k3")).isEqualTo(nobody());
    assertThat(found(BOB, "k")).isEqualTo(nobody());
  }

  private UUID batch(Wallet.Owner owner, String key, String fingerprint) {
    UUID id = scene().nextId();
    scene()
        .submitMany(
            new SubmitMany(id, owner, key, fingerprint, false, List.of(scene().order(owner))));
    return id;
  }

  private static BatchUse nobody() {
    return new BatchUse(new UUID(0, 0), "");
  }

  private BatchUse found(Wallet.Owner owner, String key) {
    return scene()
        .transact(tx -> tx.findBatch(locked(tx, owner).id(), key))
        .orElseGet(WalletContract::nobody);
  }
}
