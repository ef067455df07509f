package dev.millrace.postgres.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TypeInfo;
import org.postgresql.jdbc.PgArray;

/**
 * Writes an array of a composite type in PostgreSQL's binary format. The driver has no way of its
 * own to do it; as text it would cost both sides more than all the rest.
 */
final class RowArray {

  private static final int NULL = -1;
  private static final long EPOCH_SECONDS = Instant.parse("2000-01-01T00:00:00Z").getEpochSecond();

  private ByteBuffer bytes;

  private RowArray(int capacity) {
    this.bytes = ByteBuffer.allocate(capacity);
  }

  static <T> Array of(
      Connection connection, String type, List<Bulk.Column<T>> columns, Collection<T> rows)
      throws SQLException {
    BaseConnection driver = connection.unwrap(BaseConnection.class);
    TypeInfo types = driver.getTypeInfo();
    int[] fields = new int[columns.size()];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = types.getPGType(columns.get(i).type());
    }
    RowArray array = new RowArray(64 + rows.size() * (8 + 20 * fields.length));
    // One dimension that begins at 1, without nulls.
    array.number(1).number(0).number(types.getPGType(type)).number(rows.size()).number(1);
    for (T row : rows) {
      array.row(columns, fields, row);
    }
    byte[] whole = Arrays.copyOf(array.bytes.array(), array.bytes.position());
    return new PgArray(driver, types.getPGArrayType(type), whole);
  }

  private <T> void row(List<Bulk.Column<T>> columns, int[] fields, T row) {
    int start = bytes.position();
    number(0).number(fields.length);
    for (int i = 0; i < fields.length; i++) {
      number(fields[i]);
      value(columns.get(i).value().apply(row));
    }
    bytes.putInt(start, bytes.position() - start - 4);
  }

  private void value(@Nullable Object value) {
    switch (value) {
      case null -> number(NULL);
      case Integer number -> number(4).number(number);
      case Long number -> number(8).number(number);
      case Boolean truth -> number(1).raw(new byte[] {(byte) (truth ? 1 : 0)});
      case UUID id ->
          number(16).number(id.getMostSignificantBits()).number(id.getLeastSignificantBits());
      case Instant time -> number(8).number(micros(time));
      case String text -> {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        number(utf8.length).raw(utf8);
      }
      default -> throw new IllegalArgumentException("no way to send a " + value.getClass());
    }
  }

  /** Rounded to the nearest, as PostgreSQL does with a text. */
  private static long micros(Instant time) {
    long seconds = Math.subtractExact(time.getEpochSecond(), EPOCH_SECONDS);
    return Math.addExact(Math.multiplyExact(seconds, 1_000_000L), (time.getNano() + 500L) / 1_000L);
  }

  private RowArray number(int number) {
    room(4).putInt(number);
    return this;
  }

  private RowArray number(long number) {
    room(8).putLong(number);
    return this;
  }

  private void raw(byte[] more) {
    room(more.length).put(more);
  }

  private ByteBuffer room(int more) {
    if (bytes.remaining() < more) {
      ByteBuffer larger =
          ByteBuffer.allocate(Math.max(2 * bytes.capacity(), bytes.position() + more));
      bytes = larger.put(bytes.flip());
    }
    return bytes;
  }
}
