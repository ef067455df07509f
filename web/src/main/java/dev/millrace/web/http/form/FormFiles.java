package dev.millrace.web.http.form;

import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A form with files ({@code multipart/form-data}), read to its end before anybody looks at it. What
 * is small stays in memory and what is not lies in a temporary file until the form is closed. The
 * route's limit on the body bounds the whole of it.
 */
public final class FormFiles implements AutoCloseable {

  private static final int MOST_PARTS = 200;
  private static final int MOST_HEAD_BYTES = 8 << 10;
  private static final int MOST_IN_MEMORY = 64 << 10;
  private static final int MOST_TEXT = 1 << 20;

  /** So many forms are read at once; each may fill a file as large as its route allows. */
  private static final Semaphore PLACES = new Semaphore(64);

  private static final Pattern BOUNDARY =
      Pattern.compile(
          "(?i)multipart/form-data\\s*;.*?boundary=(?:\"([^\"\\r\\n]{1,70})\"|([^\\s;,\"]{1,70})).*");
  private static final Pattern NAME = Pattern.compile("(?i);\\s*name=\"([^\"]*)\"");
  private static final Pattern FILENAME = Pattern.compile("(?i);\\s*filename=\"([^\"]*)\"");

  private final List<Part> parts = new ArrayList<>();

  /** A field, or a file with its name and perhaps its type as they were told. */
  public static final class Part {
    private final String name;
    private final @Nullable String filename;
    private final @Nullable String contentType;
    private final Spool content;

    private Part(
        String name, @Nullable String filename, @Nullable String contentType, Spool content) {
      this.name = name;
      this.filename = filename;
      this.contentType = contentType;
      this.content = content;
    }

    public String name() {
      return name;
    }

    public @Nullable String filename() {
      return filename;
    }

    public @Nullable String contentType() {
      return contentType;
    }

    public long size() {
      return content.size;
    }

    /** The whole of it; the stream is the caller's to close. */
    public InputStream open() throws IOException {
      return content.open();
    }

    /** Its text; a 422 if it is too long for one, or not UTF-8. */
    public String text() {
      if (content.size > MOST_TEXT) {
        throw ProblemException.invalid("/" + name, "is too long");
      }
      try (InputStream in = open()) {
        return StandardCharsets.UTF_8
            .newDecoder()
            .decode(ByteBuffer.wrap(in.readAllBytes()))
            .toString();
      } catch (CharacterCodingException _) {
        throw ProblemException.invalid("/" + name, "must be text in UTF-8");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private FormFiles() {}

  /** Reads the form that a request has as its body; a 415 for another type. */
  public static FormFiles of(Request request) {
    Matcher type = BOUNDARY.matcher(request.header("content-type").orElse(""));
    if (!type.matches()) {
      throw new ProblemException(
          415, "unsupported_media_type", "The body must be multipart/form-data.");
    }
    String boundary = type.group(1) == null ? type.group(2) : type.group(1);
    if (!PLACES.tryAcquire()) {
      throw new ProblemException(503, "overloaded", "Too many files are being brought. Try again.")
          .header("Retry-After", "1");
    }
    FormFiles form = new FormFiles();
    boolean whole = false;
    try {
      form.read(new Parts(request.bodyStream(), boundary));
      whole = true;
      return form;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      PLACES.release();
      if (!whole) {
        form.close();
      }
    }
  }

  private void read(Parts in) throws IOException {
    in.skipTo(OutputStream.nullOutputStream());
    while (in.another()) {
      if (parts.size() == MOST_PARTS) {
        throw ProblemException.badRequest("The form has too many parts.");
      }
      String head = in.head();
      Spool content = new Spool();
      Part part =
          new Part(
              field(NAME, head)
                  .orElseThrow(() -> ProblemException.badRequest("A part has no name.")),
              field(FILENAME, head).orElse(null),
              header("content-type", head).orElse(null),
              content);
      parts.add(part);
      in.skipTo(content);
      content.close();
    }
  }

  private static Optional<String> field(Pattern pattern, String head) {
    return header("content-disposition", head)
        .map(pattern::matcher)
        .filter(Matcher::find)
        .map(found -> found.group(1));
  }

  private static Optional<String> header(String name, String head) {
    return head.lines()
        .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst();
  }

  public List<Part> parts() {
    return List.copyOf(parts);
  }

  /** The first part of this name. */
  public Optional<Part> part(String name) {
    return parts.stream().filter(part -> part.name().equals(name)).findFirst();
  }

  @Override
  public void close() {
    parts.forEach(part -> part.content.delete());
  }

  /** Splits a body at its boundary. */
  private static final class Parts {
    private final InputStream in;
    private final byte[] delimiter;
    private final byte[] buffer = new byte[16 << 10];
    private int next;
    private int end;

    /** How much of a delimiter was seen; a body begins as if after the end of a line. */
    private int seen = 2;

    Parts(InputStream in, String boundary) {
      this.in = in;
      this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
    }

    private int read() throws IOException {
      if (next == end) {
        next = 0;
        end = Math.max(0, in.read(buffer, 0, buffer.length));
        if (end == 0) {
          throw ProblemException.badRequest("The form breaks off before its end.");
        }
      }
      return buffer[next++] & 0xFF;
    }

    /** Copies all up to the next delimiter. Only its first byte can begin one again. */
    void skipTo(OutputStream out) throws IOException {
      while (seen < delimiter.length) {
        int b = read();
        if (b == (delimiter[seen] & 0xFF)) {
          seen++;
          continue;
        }
        out.write(delimiter, 0, seen);
        seen = b == '\r' ? 1 : 0;
        if (seen == 0) {
          out.write(b);
        }
      }
      seen = 0;
    }

    /** Whether a part follows the delimiter that was just read. */
    boolean another() throws IOException {
      int first = read();
      int second = read();
      if (first == '-' && second == '-') {
        return false;
      }
      while (!(first == '\r' && second == '\n')) {
        if (first != ' ' && first != '\t') {
          throw ProblemException.badRequest("The form is not framed properly.");
        }
        first = second;
        second = read();
      }
      return true;
    }

    String head() throws IOException {
      ByteArrayOutputStream head = new ByteArrayOutputStream();
      int ends = 0;
      while (ends < 2) {
        int b = read();
        if (b == '\n') {
          ends++;
        } else if (b != '\r') {
          ends = 0;
        }
        head.write(b);
        if (head.size() > MOST_HEAD_BYTES) {
          throw ProblemException.badRequest("The head of a part is too long.");
        }
        if (ends == 1 && head.size() <= 2) {
          break;
        }
      }
      return head.toString(StandardCharsets.UTF_8);
    }
  }

  /** Bytes in memory, until there are too many for it. */
  private static final class Spool extends OutputStream {
    private ByteArrayOutputStream memory = new ByteArrayOutputStream();
    private @Nullable Path file;
    private @Nullable OutputStream out;
    private long size;

    @Override
    public void write(int b) throws IOException {
      room(1).write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      room(length).write(bytes, offset, length);
    }

    private OutputStream room(int more) throws IOException {
      size += more;
      if (out == null && size > MOST_IN_MEMORY) {
        file = Files.createTempFile("millrace-form-", ".part");
        out = new BufferedOutputStream(Files.newOutputStream(file));
        memory.writeTo(out);
        memory = new ByteArrayOutputStream(0);
      }
      return out == null ? memory : out;
    }

    InputStream open() throws IOException {
      return file == null
          ? new ByteArrayInputStream(memory.toByteArray())
          : Files.newInputStream(file);
    }

    @Override
    public void close() throws IOException {
      if (out != null) {
        out.close();
      }
    }

    void delete() {
      try {
        close();
        if (file != null) {
          Files.deleteIfExists(file);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
