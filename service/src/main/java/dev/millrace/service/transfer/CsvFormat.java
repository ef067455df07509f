package dev.millrace.service.transfer;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a file is written: its characters and what stands between its columns.
 *
 * @param mark how many bytes there are before the first character
 */
record CsvFormat(Charset charset, int mark, char separator) {

  static final String AUTO = "auto";

  private static final Charset WINDOWS = Charset.forName("windows-1252");
  private static final Map<String, Charset> CHARSETS =
      Map.of(
          "utf-8", StandardCharsets.UTF_8,
          "utf-16le", StandardCharsets.UTF_16LE,
          "utf-16be", StandardCharsets.UTF_16BE,
          "windows-1252", WINDOWS);

  /** The first of those that fit as well wins. */
  private static final List<Character> SEPARATORS = List.of(',', ';', '\t', '|');

  private static final int HEAD = 1 << 16;
  private static final int RECORDS = 50;

  /** Opens the same file again, from its first byte on. */
  @FunctionalInterface
  interface Opening {
    InputStream open() throws IOException;
  }

  /**
   * Finds out what is not said.
   *
   * @param encoding a name, or {@link #AUTO}
   * @param separator one of them, {@code tab}, or {@link #AUTO}
   */
  static CsvFormat detect(Opening file, String encoding, String separator) throws IOException {
    byte[] head;
    try (InputStream in = file.open()) {
      head = in.readNBytes(HEAD);
    }
    Charset marked = marked(head);
    Charset charset =
        !encoding.equals(AUTO)
            ? Objects.requireNonNull(CHARSETS.get(encoding), encoding)
            : marked != null ? marked : unmarked(file, head);
    int mark =
        marked == null || !marked.equals(charset)
            ? 0
            : charset.equals(StandardCharsets.UTF_8) ? 3 : 2;
    char between =
        switch (separator) {
          case AUTO -> separator(new String(head, mark, head.length - mark, charset));
          case "tab" -> '\t';
          default -> separator.charAt(0);
        };
    return new CsvFormat(charset, mark, between);
  }

  private static @Nullable Charset marked(byte[] head) {
    if (starts(head, 0xEF, 0xBB, 0xBF)) {
      return StandardCharsets.UTF_8;
    }
    if (starts(head, 0xFF, 0xFE)) {
      return StandardCharsets.UTF_16LE;
    }
    return starts(head, 0xFE, 0xFF) ? StandardCharsets.UTF_16BE : null;
  }

  private static boolean starts(byte[] head, int... mark) {
    for (int i = 0; i < mark.length; i++) {
      if (i >= head.length || (head[i] & 0xFF) != mark[i]) {
        return false;
      }
    }
    return true;
  }

  /** UTF-16 has a NUL in most of its pairs; what is no UTF-8 to its end is what Windows writes. */
  private static Charset unmarked(Opening file, byte[] head) throws IOException {
    int even = 0;
    int odd = 0;
    for (int i = 0; i < head.length; i++) {
      if (head[i] == 0) {
        if (i % 2 == 0) {
          even++;
        } else {
          odd++;
        }
      }
    }
    if (Math.max(even, odd) > head.length / 5) {
      return even > odd ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE;
    }
    return isUtf8(file) ? StandardCharsets.UTF_8 : WINDOWS;
  }

  /** Looks at the whole file: a name with an accent may stand in its last row. */
  private static boolean isUtf8(Opening file) throws IOException {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer bytes = ByteBuffer.allocate(HEAD);
    CharBuffer chars = CharBuffer.allocate(HEAD);
    try (InputStream in = new BufferedInputStream(file.open())) {
      boolean end = false;
      while (!end) {
        int count = in.read(bytes.array(), bytes.position(), bytes.remaining());
        end = count < 0;
        bytes.position(bytes.position() + Math.max(0, count)).flip();
        chars.clear();
        CoderResult result = decoder.decode(bytes, chars, end);
        if (result.isError()) {
          return false;
        }
        bytes.compact();
      }
      return true;
    }
  }

  /** The one by which the first rows have most columns, as many in each. */
  private static char separator(String head) {
    char best = SEPARATORS.getFirst();
    long most = 0;
    for (char candidate : SEPARATORS) {
      long score = score(head, candidate);
      if (score > most) {
        most = score;
        best = candidate;
      }
    }
    return best;
  }

  private static long score(String head, char candidate) {
    int columns = 0;
    int records = 0;
    int alike = 0;
    try (CsvReader<CsvRecord> reader =
        CsvReader.builder()
            .fieldSeparator(candidate)
            .allowExtraFields(true)
            .allowMissingFields(true)
            .ofCsvRecord(head)) {
      for (CsvRecord record : reader) {
        columns = records == 0 ? record.getFieldCount() : columns;
        alike += record.getFieldCount() == columns ? 1 : 0;
        if (++records == RECORDS) {
          break;
        }
      }
    } catch (CsvParseException | IOException e) {
      // The head may end in the middle of a field; what came before counts.
    }
    return columns < 2 ? 0 : 1_000L * alike / records + columns;
  }
}
