package dev.millrace.engine.money;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UsageTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-,-,99,0",
        "-,5,4,0",
        "-,5,5,5",
        "-,5,6,5",
        "-,0,99,0",
        "3,5,3,3",
        "3,-,3,3",
        "9,5,8,0",
        "0,5,99,0"
      })
  void the_users_own_limit_wins_and_0_is_none(
      @Nullable Integer own, @Nullable Integer usual, int count, int broken) {
    QuotaUse usage = new QuotaUse(count, 20_513, count, new QuotaUse.Limits(own, own));
    QuotaUse.Limits others = new QuotaUse.Limits(usual, usual);
    assertThat(usage.brokenActiveLimit(others)).isEqualTo(broken);
    assertThat(usage.brokenDailyLimit(others, NOON)).isEqualTo(broken);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-,-,9,0",
        "-,5,4,0",
        "-,5,5,5",
        "-,5,9,5",
        "-,0,9,0",
        "8,5,7,0",
        "8,5,8,8",
        "0,5,99,0"
      })
  void a_user_who_has_stored_as_much_as_the_limit_has_no_room_left(
      @Nullable Long own, @Nullable Long usual, long stored, long broken) {
    QuotaUse usage = new QuotaUse(0, 7, 0, stored, new QuotaUse.Limits(null, null, own));
    assertThat(usage.brokenStorageLimit(new QuotaUse.Limits(1, 1, usual))).isEqualTo(broken);
    assertThat(usage.brokenStorageLimit(QuotaUse.Limits.UNSET)).isEqualTo(own == null ? 0 : broken);
  }

  @Test
  void a_day_is_a_utc_day_and_counts_from_nothing() {
    QuotaUse usage = QuotaUse.NONE.accepted(NOON).accepted(NOON);
    assertThat(usage.acceptedOn(Instant.parse("2026-03-01T00:00:00Z"))).isEqualTo(2);
    assertThat(usage.acceptedOn(Instant.parse("2026-03-01T23:59:59.999999Z"))).isEqualTo(2);
    assertThat(usage.acceptedOn(Instant.parse("2026-03-02T00:00:00Z"))).isZero();
    assertThat(usage.acceptedOn(Instant.parse("2026-02-28T23:59:59Z"))).isZero();
    assertThat(usage.accepted(Instant.parse("2026-03-02T00:00:00Z")).today()).isEqualTo(1);
    assertThat(QuotaUse.endOfDay(NOON)).isEqualTo(Instant.parse("2026-03-02T00:00:00Z"));
    assertThat(QuotaUse.endOfDay(Instant.parse("2026-03-02T00:00:00Z")))
        .isEqualTo(Instant.parse("2026-03-03T00:00:00Z"));
  }

  @Test
  void to_begin_and_to_end_leave_the_day_and_the_limits_alone() {
    QuotaUse usage = new QuotaUse(0, 7, 3, 9, new QuotaUse.Limits(1, 2, 8L));
    assertThat(usage.began()).isEqualTo(new QuotaUse(1, 7, 3, 9, new QuotaUse.Limits(1, 2, 8L)));
    assertThat(usage.accepted(NOON).stored()).isEqualTo(9);
    assertThat(usage.began().ended()).isEqualTo(usage);
  }

  @Test
  void more_ends_than_beginnings_are_a_bug() {
    assertThatThrownBy(QuotaUse.NONE::ended).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_negative_limit_makes_no_sense() {
    assertThatThrownBy(() -> new QuotaUse.Limits(-1, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new QuotaUse.Limits(null, null, -1L))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new QuotaUse.Limits(null, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
