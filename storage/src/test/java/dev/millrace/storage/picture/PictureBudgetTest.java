package dev.millrace.storage.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.spi.provider.Output;
import dev.millrace.storage.MediaType;
import dev.millrace.storage.ObjectKeys;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.local.LocalObjectStore;
import dev.millrace.storage.output.Outputs;
import dev.millrace.storage.output.StoredOutput;
import dev.millrace.storage.url.SigningKeys;
import dev.millrace.storage.url.UrlSigner;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pictures make nobody wait for longer than a call's budget, and nobody for somebody else's. */
class PictureBudgetTest {

  private static final int PICTURES = 20;

  @TempDir Path folder;

  private final PictureTurns turns = new PictureTurns(1);
  private final List<Runnable> begun = new ArrayList<>();
  private ObjectStore store;

  @BeforeEach
  void open() {
    store =
        new LocalObjectStore(
            folder, new UrlSigner(SigningKeys.of(new byte[32])), InstantSource.system());
  }

  /** A decoder that never comes to an end. */
  private Thumbnails stuck() {
    return new Thumbnails(begun::add, turns, Duration.ofHours(1));
  }

  private static PictureBudget budget(Duration all) {
    return new PictureBudget("acme", all, System::nanoTime);
  }

  private List<StoredOutput> stored(Thumbnails thumbnails, PictureBudget budget)
      throws IOException {
    Outputs outputs = new Outputs(store, thumbnails, 1_000_000);
    byte[] png = Pictures.png(64, 64);
    List<StoredOutput> stored = new ArrayList<>();
    for (int i = 0; i < PICTURES; i++) {
      Output output = new Output("a.png", "image/png", out -> out.write(png));
      stored.add(outputs.store(output, "acme", "j1", 1, budget));
    }
    return stored;
  }

  @Test
  void all_pictures_of_a_call_wait_for_a_stuck_decoder_only_once() throws Exception {
    List<StoredOutput> stored = stored(stuck(), budget(Duration.ofMillis(20)));
    assertThat(begun).hasSize(1);
    assertThat(stored).hasSize(PICTURES).allMatch(output -> output.thumbnailKey() == null);
  }

  /** The clock goes on by a second whenever somebody looks at it. */
  @Test
  void what_the_first_pictures_use_up_the_others_go_without() throws Exception {
    AtomicLong seconds = new AtomicLong();
    PictureBudget budget =
        new PictureBudget(
            "acme",
            Duration.ofSeconds(6),
            () -> Duration.ofSeconds(seconds.incrementAndGet()).toNanos());
    Thumbnails prompt = new Thumbnails(Runnable::run, turns, Duration.ofHours(1));
    List<StoredOutput> stored = stored(prompt, budget);
    assertThat(stored).hasSize(PICTURES);
    assertThat(stored.getFirst().thumbnailKey()).isNotNull();
    assertThat(stored)
        .filteredOn(output -> output.thumbnailKey() != null)
        .hasSizeLessThanOrEqualTo(3);
  }

  @Test
  void where_all_turns_are_taken_pictures_are_stored_without_a_preview() throws Exception {
    assertThat(turns.take("somebody else", Duration.ZERO)).isTrue();
    List<StoredOutput> stored = stored(stuck(), budget(Duration.ofMillis(20)));
    assertThat(begun).isEmpty();
    assertThat(stored).hasSize(PICTURES).allMatch(output -> output.thumbnailKey() == null);
    assertThat(turns.owners()).as("nobody waits any more").isEqualTo(1);
  }

  @Test
  void a_budget_that_lasts_is_enough_for_all() throws Exception {
    Thumbnails prompt = new Thumbnails(Runnable::run, turns, Duration.ofHours(1));
    List<StoredOutput> stored = stored(prompt, budget(Duration.ofHours(1)));
    assertThat(stored).hasSize(PICTURES).allMatch(output -> output.thumbnailKey() != null);
    assertThat(turns.owners()).isZero();
  }

  @Test
  void only_work_on_pictures_is_taken_off_the_budget() {
    long[] now = {0};
    PictureBudget budget = new PictureBudget("acme", Duration.ofNanos(10), () -> now[0]);
    now[0] = 100;
    try (PictureBudget.Use use = budget.use()) {
      now[0] = 104;
      assertThat(use.left()).isEqualTo(Duration.ofNanos(6));
    }
    now[0] = 200;
    try (PictureBudget.Use use = budget.use()) {
      now[0] = 300;
      assertThat(use.left()).isZero();
    }
    assertThat(budget.left()).isZero();
  }

  @Test
  void nobody_has_two_turns_and_others_take_the_one_that_is_free() throws Exception {
    PictureTurns two = new PictureTurns(2);
    assertThat(two.take("greedy", Duration.ZERO)).isTrue();
    assertThat(two.take("greedy", Duration.ZERO)).isFalse();
    assertThat(two.take("modest", Duration.ZERO)).isTrue();
    two.giveBack("greedy");
    assertThat(two.take("greedy", Duration.ZERO)).isTrue();
    two.giveBack("greedy");
    two.giveBack("modest");
    assertThat(two.owners()).isZero();
    assertThat(two.free()).isEqualTo(2);
  }

  /** The picture's header can be read and the rest can't, so whoever decodes it finds nothing. */
  @Test
  void a_thumbnail_that_is_there_is_not_made_again() throws Exception {
    String key = ObjectKeys.output("acme", "j1", 1, UUID.randomUUID(), MediaType.PNG);
    byte[] broken = Pictures.claiming(640, 320, new byte[10]);
    store.put(key, "image/png", out -> out.write(broken), broken.length);
    String thumbnail = ObjectKeys.thumbnail(key, MediaType.PNG);
    store.put(thumbnail, "image/png", out -> out.write(1), 1);

    Thumbnails prompt = new Thumbnails(Runnable::run, turns, Duration.ofHours(1));
    Previews.Preview preview =
        new Previews(store, prompt).of(key, MediaType.PNG, budget(Duration.ofHours(1)));

    assertThat(preview).isEqualTo(new Previews.Preview(640, 320, thumbnail));
  }
}
