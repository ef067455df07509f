package dev.millrace.service.transfer;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a CSV file (RFC 4180, with whatever stands between its columns), read as they come.
 * What is wrong with one row is that row's error; a file that stops being CSV can't be read on.
 */
final class CsvRows implements RowSource {

  private static final int MOST_COLUMNS = 500;
  private static final int LONGEST_FIELD = 65_536;
  private static final int LONGEST_RECORD = 262_144;
  private static final int LONGEST_NAME = 200;

  private final long size;
  private final String prefix;
  private final RowSchema schema;
  private final CountedInput bytes;
  private final Quotes quotes;
  private final CsvReader<CsvRecord> reader;
  private final Iterator<CsvRecord> records;
  private List<String> header = List.of();
  private long number;

  /**
   * Opens the file.
   *
   * @param size in bytes
   * @param prefix what the key of a row has before its number
   */
  CsvRows(CsvFormat.Opening file, CsvFormat format, long size, String prefix, RowSchema schema)
      throws IOException, Unreadable {
    this.size = size;
    this.prefix = prefix;
    this.schema = schema;
    this.bytes = new CountedInput(file.open());
    bytes.skipNBytes(format.mark());
    this.quotes =
        new Quotes(new InputStreamReader(new BufferedInputStream(bytes), format.charset()));
    this.reader =
        CsvReader.builder()
            .fieldSeparator(format.separator())
            .allowExtraFields(true)
            .allowMissingFields(true)
            .maxBufferSize(2 * LONGEST_RECORD)
            .build(
                CsvRecordHandler.of(limits ->
                    limits
                        .maxFields(MOST_COLUMNS)
                        .maxFieldSize(LONGEST_FIELD)
                        .maxRecordSize(LONGEST_RECORD)),
                quotes);
    this.records = reader.iterator();
    try {
      readHeader();
    } catch (IOException | Unreadable | RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  private void readHeader() throws IOException, Unreadable {
    CsvRecord first = record();
    if (first == null) {
      throw new Unreadable("The file is empty: its first row must name the columns.");
    }
    List<String> names = first.getFields().stream().map(String::strip).toList();
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (name.isEmpty() || name.length() > LONGEST_NAME || !isText(name)) {
        throw new Unreadable("The first row must name each column.");
      }
      if (!seen.add(name)) {
        throw new Unreadable("Two columns have the same name.");
      }
    }
    header = names;
  }

  private @Nullable CsvRecord record() throws IOException, Unreadable {
    try {
      CsvRecord record = records.hasNext() ? records.next() : null;
      if (record != null && spansLines(record) && quotes.isOpen() && !records.hasNext()) {
        throw new CsvParseException("the last quote is open");
      }
      return record;
    } catch (CsvParseException e) {
      throw new Unreadable(
          "The file is no CSV from row %d on: a quote that never closes, text behind a quote, or"
                  .formatted(number + 2)
              + " a row or field that is too long.");
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static boolean spansLines(CsvRecord record) {
    return record.getFields().stream().anyMatch(field -> field.indexOf('\n') >= 0);
  }

  @Override
  public @Nullable Row next() throws IOException, Unreadable {
    CsvRecord record = record();
    if (record == null) {
      return null;
    }
    number++;
    long line = record.getStartingLineNumber();
    String key = prefix + "-" + number;
    if (record.getFieldCount() != header.size()) {
      return Row.bad(
          number,
          line,
          key,
          null,
          "has %d columns, and the first row has %d"
              .formatted(record.getFieldCount(), header.size()));
    }
    List<String> cells = new ArrayList<>(record.getFields());
    for (int i = 0; i < cells.size(); i++) {
      if (!isText(cells.get(i))) {
        return Row.bad(number, line, key, header.get(i), "has characters that no text has");
      }
    }
    return switch (schema.read(header, cells)) {
      case RowSchema.Reading.Good(var data) -> Row.good(number, line, key, data);
      case RowSchema.Reading.Bad(String field, String message) ->
          Row.bad(number, line, key, field, message);
    };
  }

  private static boolean isText(String text) {
    return text.chars()
        .noneMatch(c -> (c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == '\ufffd');
  }

  @Override
  public int percent() {
    return size == 0 ? 100 : Math.clamp(100 * bytes.count / size, 0, 100);
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  /** The library takes the end of a file for the end of a quote, which would hide lost rows. */
  private static final class Quotes extends FilterReader {
    private boolean open;

    Quotes(Reader in) {
      super(in);
    }

    boolean isOpen() {
      return open;
    }

    @Override
    public int read(char[] buffer, int offset, int length) throws IOException {
      int read = super.read(buffer, offset, length);
      for (int i = offset; i < offset + read; i++) {
        open ^= buffer[i] == '"';
      }
      return read;
    }
  }

  /** Counts what is read of a file. */
  private static final class CountedInput extends FilterInputStream {
    private long count;

    CountedInput(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      count += read < 0 ? 0 : 1;
      return read;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int read = super.read(buffer, offset, length);
      count += Math.max(0, read);
      return read;
    }
  }
}
