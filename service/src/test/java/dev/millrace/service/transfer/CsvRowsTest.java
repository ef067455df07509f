package dev.millrace.service.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.service.catalogue.GivenSchema;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class CsvRowsTest {

  private static final Charset WINDOWS = Charset.forName("windows-1252");
  private static final int MILLION = 1_000_000;

  private static CsvFormat format(byte[] bytes) throws IOException {
    return CsvFormat.detect(() -> new ByteArrayInputStream(bytes), CsvFormat.AUTO, CsvFormat.AUTO);
  }

  private static List<Row> rows(String table, @Nullable String schema) throws Exception {
    byte[] bytes = table.getBytes(StandardCharsets.UTF_8);
    List<Row> rows = new ArrayList<>();
    try (CsvRows source = open(bytes, format(bytes), schema)) {
      for (Row row = source.next(); row != null; row = source.next()) {
        rows.add(row);
      }
      assertThat(source.percent()).isEqualTo(100);
    }
    return rows;
  }

  private static CsvRows open(byte[] bytes, CsvFormat format, @Nullable String schema)
      throws IOException, RowSource.Unreadable, GivenSchema.Refused {
    return new CsvRows(
        () -> new ByteArrayInputStream(bytes), format, bytes.length, "t", schema(schema));
  }

  private static RowSchema schema(@Nullable String schema) throws GivenSchema.Refused {
    return new RowSchema(schema == null ? null : (ObjectNode) JsonMapper.shared().readTree(schema));
  }

  @Test
  void encodings_and_separators_are_found_out() throws IOException {
    String table = "name;city\nCafé;Köln\n";
    assertThat(format(table.getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(new CsvFormat(StandardCharsets.UTF_8, 0, ';'));
    assertThat(format(("\ufeff" + table).getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(new CsvFormat(StandardCharsets.UTF_8, 3, ';'));
    assertThat(format(("\ufeff" + table).getBytes(StandardCharsets.UTF_16LE)))
        .isEqualTo(new CsvFormat(StandardCharsets.UTF_16LE, 2, ';'));
    assertThat(format(table.getBytes(StandardCharsets.UTF_16BE)))
        .isEqualTo(new CsvFormat(StandardCharsets.UTF_16BE, 0, ';'));
    assertThat(format(table.getBytes(WINDOWS))).isEqualTo(new CsvFormat(WINDOWS, 0, ';'));
    assertThat(format("a\tb\n1,5\t2,5\n".getBytes(StandardCharsets.UTF_8)).separator())
        .isEqualTo('\t');
    assertThat(format("a,b\n\"x;y\",\"p;q\"\n".getBytes(StandardCharsets.UTF_8)).separator())
        .isEqualTo(',');
    // The first accent comes long after what is looked at to find the separator.
    byte[] late = ("name,city\n" + "a,b\n".repeat(50_000) + "Café,b\n").getBytes(WINDOWS);
    assertThat(format(late).charset()).isEqualTo(WINDOWS);
  }

  @Test
  void a_row_that_is_wrong_is_an_error_of_its_own_line() throws Exception {
    List<Row> rows =
        rows("name,seats\nx,1\n\ny\nz,2,3\n\"two\nlines\",many\nnul\0,1\nlast,9\n", null);
    assertThat(rows).extracting(Row::number).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    assertThat(rows).extracting(Row::line).containsExactly(2L, 4L, 5L, 6L, 8L, 9L);
    assertThat(rows)
        .extracting(row -> row.data() == null)
        .containsExactly(false, true, true, false, true, false);
    assertThat(rows).extracting(Row::key).startsWith("t-1", "t-2");
  }

  @Test
  void cells_are_what_the_schema_says_of_their_columns() throws Exception {
    String schema =
        """
        {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"},
         "x": {"type": "number"}, "b": {"type": "boolean"}, "tags": {"type": "array"},
         "s": {"type": "string", "maxLength": 3}}}
        """;
    List<Row> rows = rows("n,x,b,tags,s\n7,1.5,TRUE,a| b,abc\n7,1,true,a,abcd\nx,,,,\n", schema);
    assertThat(String.valueOf(rows.getFirst().data()))
        .isEqualTo("{\"n\":7,\"x\":1.5,\"b\":true,\"tags\":[\"a\",\"b\"],\"s\":\"abc\"}");
    assertThat(rows.get(1).error()).isNotNull();
    assertThat(String.valueOf(rows.get(1).error())).contains("field=s");
    assertThat(String.valueOf(rows.get(2).error())).contains("field=n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"$ref\": \"http://127.0.0.1/x\"}",
        "{\"allOf\": [{\"$ref\": \"#\"}]}",
        "{\"type\": \"nothing\"}",
        "{\"properties\": {\"a\": {\"pattern\": \"(\"}}}"
      })
  void a_schema_that_refers_or_is_none_is_refused(String schema) {
    assertThatThrownBy(() -> schema(schema)).isInstanceOf(GivenSchema.Refused.class);
  }

  @Test
  void a_pattern_that_was_made_to_take_for_ever_does_not() throws Exception {
    String schema = "{\"properties\": {\"a\": {\"pattern\": \"^(a+)+$\"}}}";
    assertThat(rows("a\n" + "a".repeat(60_000) + "!\n", schema).getFirst().data()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a,a\n1,2\n", "a,\n1,2\n", "a\n\"open\n", "a\n\"x\"y\n"})
  void a_file_that_is_no_table_can_not_be_read(String table) {
    assertThatThrownBy(() -> rows(table, null)).isInstanceOf(RowSource.Unreadable.class);
  }

  @Test
  void a_quote_that_never_closes_is_given_up_long_before_the_file_ends() throws Exception {
    Endless file = new Endless("name\nx\n\"", "never ends ", 1L << 40);
    CsvFormat plain = new CsvFormat(StandardCharsets.UTF_8, 0, ',');
    try (CsvRows source = new CsvRows(() -> file, plain, 1L << 40, "t", schema(null))) {
      assertThat(source.next()).isNotNull();
      assertThatThrownBy(source::next).isInstanceOf(RowSource.Unreadable.class);
    }
    assertThat(file.read).isLessThan(4 << 20);
  }

  @Test
  void a_million_rows_are_read_as_they_come() throws Exception {
    String row = "place,4,category\n";
    Endless file = new Endless("name,seats,category\n", row, (long) MILLION * row.length());
    CsvFormat plain = new CsvFormat(StandardCharsets.UTF_8, 0, ',');
    long furthest = 0;
    long count = 0;
    try (CsvRows source = new CsvRows(() -> file, plain, 1, "t", schema(null))) {
      for (Row each = source.next(); each != null; each = source.next()) {
        count++;
        furthest = Math.max(furthest, file.read - count * row.length());
      }
    }
    assertThat(count).isEqualTo(MILLION);
    // What is in memory is what was read and not yet handed out.
    assertThat(furthest).isLessThan(1 << 20);
  }

  /** A file that nobody has, made while it is read. */
  private static final class Endless extends InputStream {
    private final byte[] head;
    private final byte[] part;
    private final long most;
    private long read;

    Endless(String head, String part, long most) {
      this.head = head.getBytes(StandardCharsets.UTF_8);
      this.part = part.getBytes(StandardCharsets.UTF_8);
      this.most = this.head.length + most;
    }

    @Override
    public int read() {
      if (read == most) {
        return -1;
      }
      long at = read++;
      return at < head.length ? head[(int) at] : part[(int) ((at - head.length) % part.length)];
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      int count = 0;
      while (count < length) {
        int next = read();
        if (next < 0) {
          return count == 0 ? -1 : count;
        }
        buffer[offset + count++] = (byte) next;
      }
      return count;
    }
  }
}
