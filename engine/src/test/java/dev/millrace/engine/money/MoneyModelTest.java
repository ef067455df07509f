package dev.millrace.engine.money;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random histories of one wallet. The seed is in the name of the test that failed. */
class MoneyModelTest {

  private static final int STEPS = 5_000;

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 42, 20_260_101, -7})
  void no_credit_appears_vanishes_or_moves_twice(long seed) {
    History history = new History(new Random(seed));
    for (int step = 0; step < STEPS; step++) {
      history.step();
      history.check("seed %d, step %d".formatted(seed, step));
    }
    assertThat(history.settled).as("holds settled with seed %d", seed).isGreaterThan(STEPS / 10);
  }

  /** A wallet, its jobs, and sums that are kept apart from the code under test. */
  private static final class History {
    private final Random random;
    private final List<UUID> jobs = new ArrayList<>();
    private final List<Hold> holds = new ArrayList<>();
    private Wallet wallet = new Wallet(1, new Wallet.Owner(1, "ada"), 0);
    private long sumOfLines;
    private long granted;
    private long consumed;
    private int settled;

    History(Random random) {
      this.random = random;
    }

    void step() {
      switch (random.nextInt(5)) {
        case 0 -> topUp();
        case 1, 2 -> reserve();
        default -> settle();
      }
    }

    private void topUp() {
      long amount = 1L + random.nextInt(500);
      Wallet.Entry entry = wallet.book(LedgerType.PAYMENT_CREDIT, amount, null, null);
      wallet = entry.wallet();
      granted += amount;
      follow(List.of(entry.line()));
    }

    /** A new job, or another funding of one that ended. */
    private void reserve() {
      long cost = random.nextInt(10) == 0 ? 0 : random.nextInt(200);
      if (!wallet.covers(cost)) {
        return;
      }
      int job = random.nextInt(jobs.size() + 1);
      if (job == jobs.size()) {
        jobs.add(new UUID(0, job));
        holds.add(Hold.NONE);
      }
      if (!holds.get(job).open()) {
        Hold.Reserved reserved = holds.get(job).reserve(wallet, jobs.get(job), cost);
        assertThat(reserved.hold().fundingSeq()).isEqualTo(holds.get(job).fundingSeq() + 1);
        holds.set(job, reserved.hold());
        wallet = reserved.wallet();
        follow(reserved.lines());
      }
    }

    private void settle() {
      List<Integer> open = new ArrayList<>();
      for (int job = 0; job < holds.size(); job++) {
        if (holds.get(job).open()) {
          open.add(job);
        }
      }
      if (open.isEmpty()) {
        return;
      }
      int job = open.get(random.nextInt(open.size()));
      long charge = random.nextInt(300) - 50L;
      Settlement settlement = Settlement.keeping(charge, holds.get(job).amount());
      Hold.Settled done = holds.get(job).settle(wallet, jobs.get(job), settlement);
      consumed += Math.max(0, Math.min(charge, holds.get(job).amount()));
      holds.set(job, done.hold());
      wallet = done.wallet();
      settled++;
      follow(done.lines());
    }

    private void follow(List<LedgerLine> lines) {
      for (LedgerLine line : lines) {
        sumOfLines += line.amount();
        assertThat(line.balanceAfter()).isEqualTo(sumOfLines);
      }
    }

    void check(String when) {
      long held = holds.stream().filter(Hold::open).mapToLong(Hold::amount).sum();
      assertThat(wallet.balance()).as("balance, %s", when).isEqualTo(sumOfLines).isNotNegative();
      assertThat(wallet.balance() + held + consumed).as("granted, %s", when).isEqualTo(granted);
    }
  }
}
