package dev.millrace.web.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.TokensInheritanceStrategy;
import java.time.Duration;

/** A bucket for each key. One that has had time to fill up again is forgotten. */
final class Buckets<K> {

  private static final int MOST_BUCKETS = 100_000;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final TimeMeter time;
  private final Cache<K, Rated> buckets;

  Buckets(TimeMeter time) {
    this.time = time;
    this.buckets =
        Caffeine.newBuilder()
            .expireAfter(Expiry.<K, Rated>accessing((_, rated) -> rated.rate.timeToFill()))
            .maximumSize(MOST_BUCKETS)
            .build();
  }

  /**
   * How fast a bucket fills.
   *
   * @param capacity what it holds when nobody has taken for long
   */
  record Rate(long capacity, long perMinute) {

    private Bandwidth bandwidth() {
      return Bandwidth.builder().capacity(capacity).refillGreedy(perMinute, MINUTE).build();
    }

    private Duration timeToFill() {
      return MINUTE.multipliedBy(capacity).dividedBy(perMinute).plus(MINUTE);
    }
  }

  private record Rated(Rate rate, Bucket bucket) {}

  /** The key's bucket. One that had another rate stays as full as it was, in proportion. */
  Bucket of(K key, Rate rate) {
    Rated known = buckets.get(key, _ -> made(rate));
    return known.rate.equals(rate)
        ? known.bucket
        : buckets
            .asMap()
            .compute(key, (_, now) -> now == null ? made(rate) : changed(now, rate))
            .bucket;
  }

  private Rated made(Rate rate) {
    return new Rated(
        rate, Bucket.builder().addLimit(rate.bandwidth()).withCustomTimePrecision(time).build());
  }

  private static Rated changed(Rated known, Rate rate) {
    if (!known.rate.equals(rate)) {
      known.bucket.replaceConfiguration(
          BucketConfiguration.builder().addLimit(rate.bandwidth()).build(),
          TokensInheritanceStrategy.PROPORTIONALLY);
    }
    return new Rated(rate, known.bucket);
  }
}
