package dev.millrace.postgres.jobs;

import java.time.Instant;
import java.util.UUID;

/** Ids begin with their time (UUIDv7), so a moment is a place in the order of ids. */
public final class FirstId {

  private FirstId() {}

  /** The smallest id that can have been made at this moment. */
  public static UUID at(Instant moment) {
    long millis = Math.max(0, moment.toEpochMilli());
    return new UUID(millis << 16 | 0x7000, 0x8000_0000_0000_0000L);
  }

  /** The next one in the order of ids. */
  public static UUID after(UUID id) {
    long low = id.getLeastSignificantBits() + 1;
    return new UUID(id.getMostSignificantBits() + (low == 0 ? 1 : 0), low);
  }

  /** When an id was made. */
  public static Instant timeOf(UUID id) {
    return Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16);
  }
}
