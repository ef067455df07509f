package dev.millrace.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The Content-Disposition header (RFC 6266, with the extended form of RFC 8187). */
public final class Disposition {

  private static final String ATTRIBUTE_MARKS = "!#$&+-.^_`|~";

  private Disposition() {}

  public static String of(boolean inline, @Nullable String filename) {
    String disposition = inline ? "inline" : "attachment";
    if (filename == null) {
      return disposition;
    }
    return "%s; filename=\"%s\"; filename*=UTF-8''%s"
        .formatted(disposition, plain(filename), extended(filename));
  }

  /** For old clients: what quotes can't hold, or clients read differently, becomes a line. */
  private static String plain(String filename) {
    return filename
        .codePoints()
        .map(c -> c < ' ' || c > '~' || c == '"' || c == '\\' || c == '%' ? '_' : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static String extended(String filename) {
    StringBuilder encoded = new StringBuilder();
    for (byte b : filename.getBytes(UTF_8)) {
      if (isAttributeCharacter((char) (b & 0xff))) {
        encoded.append((char) b);
      } else {
        encoded.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
      }
    }
    return encoded.toString();
  }

  private static boolean isAttributeCharacter(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || ATTRIBUTE_MARKS.indexOf(c) >= 0;
  }
}
