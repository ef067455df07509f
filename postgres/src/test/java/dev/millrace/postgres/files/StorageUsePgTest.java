package dev.millrace.postgres.files;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.PlacedRows;
import dev.millrace.postgres.files.StorageUse.Limits;
import dev.millrace.postgres.files.StorageUse.OfUser;
import dev.millrace.postgres.files.StorageUse.Whose;
import dev.millrace.postgres.files.Uploads.Opening;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the database counts by itself, whoever writes. */
class StorageUsePgTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private final PlacedRows rows = PlacedRows.none();
  private final StorageUse uses = new StorageUse(rows.jdbi());

  private void file(int number, int tenant, int wallet, long size) {
    rows.file(number, "tenant_id", tenant, "wallet_id", wallet, "size", size);
  }

  private String stored() {
    return rows.ask(
        "select string_agg(coalesce(stored_bytes::text, '-'), ' ' order by id) from wallet");
  }

  private void place_three_files() {
    file(1, TENANT, 1, 100);
    file(2, TENANT, 1, 20);
    file(3, TENANT, 2, 3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          select 1                                                                | 120 3 0 0
          update file set deleted_at = now()                                      | 0 0 0 0
          update file set deleted_at = now() where size = 20                      | 100 3 0 0
          update file set deleted_at = now(); update file set erased_at = now()   | 0 0 0 0
          update file set deleted_at = now(); update file set deleted_at = null   | 120 3 0 0
          update file set state = 'pending', name = 'x'                           | 120 3 0 0
          update file set size = size + 1                                         | 122 4 0 0
          update file set wallet_id = 4 where size > 5                            | 0 3 0 120
          delete from file where size = 100                                       | 20 3 0 0
          update file set deleted_at = now(); delete from file                    | 0 0 0 0
          insert into file (tenant_id, id, wallet_id, size, created_at, kind, key, name, media_type) select tenant_id, gen_random_uuid(), wallet_id, size, created_at, kind, key, name, media_type from file | 240 6 0 0
          update wallet set stored_bytes = null where id = 1; delete from file    | - 0 0 0
          """)
  void every_statement_that_writes_files_is_counted(String change, String expected) {
    place_three_files();
    rows.execute(change);
    assertThat(stored()).isEqualTo(expected);
  }

  @Test
  void a_wallet_that_is_older_than_the_count_is_summed_until_it_was_counted() {
    place_three_files();
    rows.execute("update wallet set stored_bytes = null where id in (1, 3)");
    assertThat(uses.ofUser(TENANT, "ada").used()).isEqualTo(120);
    assertThat(uses.ofTenant(TENANT)).isEqualTo(123);

    assertThat(uses.countOld(0, 1)).contains(1L);
    assertThat(stored()).isEqualTo("120 3 - 0");
    assertThat(uses.countOld(1, 9)).contains(3L);
    assertThat(uses.countOld(3, 9)).isEmpty();
    assertThat(stored()).isEqualTo("120 3 0 0");
    file(9, FOREIGN, 3, 7);
    assertThat(uses.ofUser(FOREIGN, "ada").used()).isEqualTo(7);
  }

  @Test
  void users_and_tenants_have_their_own_and_the_largest_come_first() {
    place_three_files();
    file(4, FOREIGN, 4, 1_000);
    rows.execute("update wallet set storage_limit = 50 where id = 2");

    assertThat(uses.ofTenant(TENANT)).isEqualTo(123);
    assertThat(uses.largest(TENANT, 9))
        .containsExactly(new OfUser("ada", 120, null), new OfUser("bob", 3, 50L));
    assertThat(uses.largest(TENANT, 1)).hasSize(1);
    assertThat(uses.ofUser(TENANT, "nobody")).isEqualTo(new OfUser("nobody", 0, null));
    assertThat(uses.ofUser(TENANT, "bob").limit(9)).isEqualTo(50);
    assertThat(uses.ofUser(TENANT, "ada").limit(9)).isEqualTo(9);
  }

  @ParameterizedTest
  @CsvSource({
    "0,0,1000,",
    "0,125,5,",
    "0,124,5,USER 120 124",
    "128,0,5,",
    "127,0,5,TENANT 123 127",
    "127,124,5,TENANT 123 127",
    "1000,119,1,USER 120 119"
  })
  void a_wish_needs_room_with_its_user_and_its_tenant(
      long tenant, long user, long size, String refused) {
    place_three_files();
    Opening opening = open(new Uploads(rows.jdbi()), 9, "ada", size, new Limits(tenant, user));
    String told =
        opening instanceof Opening.NoRoom(var full)
            ? full.whose() + " " + full.used() + " " + full.limit()
            : null;
    assertThat(told).isEqualTo(refused);
    assertThat(uses.ofTenant(TENANT)).isEqualTo(refused == null ? 123 + size : 123);
  }

  @Test
  void what_was_set_for_a_user_wins_and_0_is_no_limit() {
    rows.execute("update wallet set storage_limit = 0 where id = 1");
    rows.execute("update wallet set storage_limit = 5 where id = 2");
    Uploads uploads = new Uploads(rows.jdbi());
    assertThat(open(uploads, 1, "ada", 9, new Limits(0, 1))).isInstanceOf(Opening.Opened.class);
    assertThat(open(uploads, 2, "bob", 9, new Limits(0, 100)))
        .isEqualTo(new Opening.NoRoom(new StorageUse.Full(Whose.USER, 0, 5)));
  }

  @ParameterizedTest
  @CsvSource({"1000,0,ada ada", "0,1000,ada bob", "1000,1000,ada bob"})
  void of_many_wishes_at_once_only_those_pass_for_which_there_is_room(
      long user, long tenant, String users) throws Exception {
    Uploads uploads = new Uploads(rows.otherSessions());
    List<String> names = List.of(users.split(" "));
    try (ExecutorService crowd = Executors.newFixedThreadPool(8)) {
      List<Future<Opening>> wishes =
          IntStream.range(0, 40)
              .mapToObj(i ->
                  crowd.submit(
                      () -> open(uploads, i, names.get(i % 2), 100, new Limits(tenant, user))))
              .toList();
      assertThat(wishes.stream().map(StorageUsePgTest::result))
          .filteredOn(Opening.Opened.class::isInstance)
          .hasSize(10);
    }
    assertThat(uses.ofTenant(TENANT)).isEqualTo(1_000);
  }

  private static Opening result(Future<Opening> wish) {
    try {
      return wish.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Opening open(Uploads uploads, int number, String user, long size, Limits limits) {
    return uploads.open(
        new Uploads.Wish(
            TENANT,
            user,
            id(1_000 + number),
            "key" + number,
            new UploadView.Content("a.txt", "text/plain", size, null),
            null,
            null),
        HOUR,
        new Uploads.Allowed(1_000, limits));
  }
}
