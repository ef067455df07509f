package dev.millrace.engine.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JobIdTest {

  /** PostgreSQL compares uuids with memcmp, and an int before them as a signed number. */
  private static final Comparator<JobId> AS_POSTGRESQL =
      Comparator.comparingInt(JobId::tenant)
          .thenComparing(id -> bytes(id.uuid()), Arrays::compareUnsigned);

  @Test
  void jobs_are_ordered_by_the_unsigned_bytes_of_their_ids() {
    Random random = new Random(11);
    List<JobId> ids =
        Stream.concat(
                Stream.of(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE)
                    .flatMap(high ->
                        Stream.of(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE)
                            .map(low -> new JobId(1, new UUID(high, low)))),
                Stream.generate(() ->
                        new JobId(
                            random.nextInt(3) - 1, new UUID(random.nextLong(), random.nextLong())))
                    .limit(500))
            .toList();
    assertThat(ids.stream().sorted().toList())
        .containsExactlyElementsOf(ids.stream().sorted(AS_POSTGRESQL).toList());
  }

  @Test
  void an_id_with_the_highest_bit_comes_last() {
    JobId low = new JobId(1, UUID.fromString("00000000-0000-7000-8000-000000000000"));
    JobId high = new JobId(1, UUID.fromString("ffffffff-0000-7000-8000-000000000000"));
    assertThat(low).isLessThan(high);
    assertThat(new JobId(2, low.uuid())).isGreaterThan(high);
  }

  private static byte[] bytes(UUID uuid) {
    return ByteBuffer.allocate(16)
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .array();
  }
}
