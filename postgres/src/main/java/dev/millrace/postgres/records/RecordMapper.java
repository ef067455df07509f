package dev.millrace.postgres.records;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows as records, whose components have the names of the columns. A component that is itself
 * a record is made of columns of the same row, and an enum is read from its name in lower case.
 * Jdbi's own mapper examines the class and its annotations for every query, which took more time
 * than the query; this one does so once.
 */
public final class RecordMapper<T> implements RowMapper<T> {

  private static final ClassValue<RecordMapper<?>> MAPPERS =
      new ClassValue<>() {
        @Override
        protected RecordMapper<?> computeValue(Class<?> type) {
          return new RecordMapper<>(type);
        }
      };

  private static final Map<Class<?>, Reader> READERS =
      Map.ofEntries(
          entry(String.class, ResultSet::getString),
          entry(int.class, ResultSet::getInt),
          entry(Integer.class, (row, column) -> orNull(row, row.getInt(column))),
          entry(long.class, ResultSet::getLong),
          entry(Long.class, (row, column) -> orNull(row, row.getLong(column))),
          entry(double.class, ResultSet::getDouble),
          entry(boolean.class, ResultSet::getBoolean),
          entry(Boolean.class, (row, column) -> orNull(row, row.getBoolean(column))),
          entry(UUID.class, (row, column) -> row.getObject(column, UUID.class)),
          entry(Instant.class, RecordMapper::instant),
          entry(List.class, RecordMapper::texts));

  private static Map.Entry<Class<?>, Reader> entry(Class<?> type, Reader reader) {
    return Map.entry(type, reader);
  }

  private interface Reader {
    @Nullable Object read(ResultSet row, int column) throws SQLException;
  }

  /** Reads a value of a row whose columns are in known places. */
  private interface Cell {
    @Nullable Object read(ResultSet row) throws SQLException;
  }

  /** A part of the record, before anybody knows in which column it is. */
  private interface Component {
    Cell in(Map<String, Integer> places);
  }

  private final Constructor<T> constructor;
  private final List<Component> components;

  private RecordMapper(Class<T> type) {
    RecordComponent[] parts = type.getRecordComponents();
    try {
      this.constructor =
          type.getDeclaredConstructor(
              Arrays.stream(parts).map(RecordComponent::getType).toArray(Class[]::new));
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(type + " is no record", e);
    }
    constructor.setAccessible(true);
    this.components = Arrays.stream(parts).map(RecordMapper::component).toList();
  }

  @SuppressWarnings("unchecked") // A mapper of a class is kept under that class.
  public static <T> RecordMapper<T> of(Class<T> type) {
    return (RecordMapper<T>) MAPPERS.get(type);
  }

  /** Of rows whose column {@code place} says which of several things was looked up. */
  public RowMapper<Lookup.Found<T>> found() {
    return new RowMapper<>() {
      @Override
      public Lookup.Found<T> map(ResultSet row, StatementContext context) throws SQLException {
        return specialize(row, context).map(row, context);
      }

      @Override
      public RowMapper<Lookup.Found<T>> specialize(ResultSet rows, StatementContext context)
          throws SQLException {
        RowMapper<T> mapper = RecordMapper.this.specialize(rows, context);
        int place = rows.findColumn("place");
        return (row, inner) -> new Lookup.Found<>(row.getInt(place), mapper.map(row, inner));
      }
    };
  }

  private static Component component(RecordComponent part) {
    Class<?> type = part.getType();
    if (type.isRecord()) {
      RecordMapper<?> nested = of(type);
      return places -> {
        Cell[] cells = nested.cells(places);
        return row -> nested.read(row, cells);
      };
    }
    Reader reader = type.isEnum() ? constants(type) : READERS.get(type);
    if (reader == null) {
      throw new IllegalArgumentException("nobody reads the type of " + part);
    }
    String name = plain(part.getName());
    boolean optional = part.getAnnotatedType().isAnnotationPresent(Nullable.class);
    return places -> {
      Integer place = places.get(name);
      if (place == null && !optional) {
        throw new IllegalArgumentException(
            "no column for %s of %s".formatted(name, part.getDeclaringRecord().getName()));
      }
      return place == null ? _ -> null : row -> reader.read(row, place);
    };
  }

  private static Reader constants(Class<?> type) {
    Map<String, Object> byLabel = new HashMap<>();
    for (Object constant : type.getEnumConstants()) {
      byLabel.put(((Enum<?>) constant).name().toLowerCase(Locale.ROOT), constant);
    }
    return (row, column) -> {
      String label = row.getString(column);
      if (label != null && !byLabel.containsKey(label)) {
        throw new IllegalArgumentException("no %s is called %s".formatted(type.getName(), label));
      }
      return label == null ? null : byLabel.get(label);
    };
  }

  /** The same for {@code createdAt} and {@code created_at}. */
  private static String plain(String name) {
    return name.replace("_", "").toLowerCase(Locale.ROOT);
  }

  @Override
  public T map(ResultSet row, StatementContext context) throws SQLException {
    return specialize(row, context).map(row, context);
  }

  /** Looks where the columns are, once for all rows of an answer. */
  @Override
  public RowMapper<T> specialize(ResultSet rows, StatementContext context) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    Map<String, Integer> places = new HashMap<>();
    for (int column = 1; column <= columns.getColumnCount(); column++) {
      places.putIfAbsent(plain(columns.getColumnLabel(column)), column);
    }
    Cell[] cells = cells(places);
    return (row, _) -> read(row, cells);
  }

  private Cell[] cells(Map<String, Integer> places) {
    return components.stream().map(component -> component.in(places)).toArray(Cell[]::new);
  }

  private T read(ResultSet row, Cell[] cells) throws SQLException {
    @Nullable Object[] values = new Object[cells.length];
    for (int i = 0; i < cells.length; i++) {
      values[i] = cells[i].read(row);
    }
    try {
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("could not make a " + constructor.getName(), e);
    }
  }

  private static @Nullable Object orNull(ResultSet row, Object value) throws SQLException {
    return row.wasNull() ? null : value;
  }

  private static @Nullable Object instant(ResultSet row, int column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  private static @Nullable Object texts(ResultSet row, int column) throws SQLException {
    var array = row.getArray(column);
    return array == null ? null : List.of((String[]) array.getArray());
  }
}
