package dev.millrace.storage;

import java.util.List;
import java.util.stream.IntStream;

/**
 * How a large file is cut into parts: all of one size but the last, which has the rest.
 *
 * @param size of the whole
 * @param partBytes of every part but the last
 */
public record PartPlan(long size, long partBytes) {

  /** S3 takes no smaller part, but for the last. */
  public static final long LEAST_PART_BYTES = 5L << 20;

  /** S3 takes no larger part. */
  public static final long MOST_PART_BYTES = 5L << 30;

  /** S3 takes ten times as many; so many URLs still fit into one answer. */
  public static final int MOST_PARTS = 1_000;

  public PartPlan {
    if (!isPossible(size, partBytes)) {
      throw new IllegalArgumentException(
          "%d bytes can't come in parts of %d".formatted(size, partBytes));
    }
  }

  /** Whether a store takes such parts. */
  public static boolean isPossible(long size, long partBytes) {
    return size > 0
        && partBytes >= LEAST_PART_BYTES
        && partBytes <= MOST_PART_BYTES
        && (size - 1) / partBytes < MOST_PARTS;
  }

  /** Parts of the preferred size, or larger ones if there would be too many. */
  public static PartPlan of(long size, long preferred) {
    return new PartPlan(size, Math.max(preferred, (size - 1) / MOST_PARTS + 1));
  }

  public int count() {
    return Math.toIntExact((size - 1) / partBytes + 1);
  }

  /** The numbers of the parts, from 1. */
  public List<Integer> numbers() {
    return IntStream.rangeClosed(1, count()).boxed().toList();
  }

  public boolean has(int number) {
    return number >= 1 && number <= count();
  }

  public long sizeOf(int number) {
    if (!has(number)) {
      throw new IllegalArgumentException("there is no part " + number);
    }
    return Math.min(partBytes, size - (number - 1) * partBytes);
  }
}
