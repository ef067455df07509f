package dev.millrace.web.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;

/** Equal buckets, one for each key. A bucket that has had time to fill up again is forgotten. */
final class Buckets<K> {

  private static final int MOST_BUCKETS = 100_000;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Bandwidth bandwidth;
  private final TimeMeter time;
  private final Cache<K, Bucket> buckets;

  Buckets(long capacity, long perMinute, TimeMeter time) {
    this.bandwidth = Bandwidth.builder().capacity(capacity).refillGreedy(perMinute, MINUTE).build();
    this.time = time;
    this.buckets =
        Caffeine.newBuilder()
            .expireAfterAccess(MINUTE.multipliedBy(capacity).dividedBy(perMinute).plus(MINUTE))
            .maximumSize(MOST_BUCKETS)
            .build();
  }

  Bucket of(K key) {
    return buckets.get(
        key, _ -> Bucket.builder().addLimit(bandwidth).withCustomTimePrecision(time).build());
  }
}
