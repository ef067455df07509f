package dev.millrace.storage.url;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What part of an object a Range header asks for (RFC 9110, section 14). */
sealed interface ByteRange {

  Pattern SINGLE = Pattern.compile("(?i:bytes)=[ \\t]*([0-9]{0,18})-([0-9]{0,18})[ \\t]*");

  /** No range, or one that a server may ignore: several parts, other units, nonsense. */
  record Whole() implements ByteRange {}

  record Part(long offset, long length) implements ByteRange {}

  /** A well-formed range with nothing in it. */
  record Unsatisfiable() implements ByteRange {}

  static ByteRange of(@Nullable String header, long size) {
    if (header == null) {
      return new Whole();
    }
    Matcher range = SINGLE.matcher(header);
    if (!range.matches()) {
      return new Whole();
    }
    String first = range.group(1);
    String last = range.group(2);
    if (first.isEmpty()) {
      return last.isEmpty() ? new Whole() : suffix(Long.parseLong(last), size);
    }
    long from = Long.parseLong(first);
    long to = last.isEmpty() ? Long.MAX_VALUE - 1 : Long.parseLong(last);
    if (to < from) {
      return new Whole();
    }
    if (from >= size) {
      return new Unsatisfiable();
    }
    return new Part(from, Math.min(to + 1, size) - from);
  }

  private static ByteRange suffix(long wanted, long size) {
    if (wanted == 0 || size == 0) {
      return new Unsatisfiable();
    }
    long length = Math.min(wanted, size);
    return new Part(size - length, length);
  }
}
