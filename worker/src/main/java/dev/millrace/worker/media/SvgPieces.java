package dev.millrace.worker.media;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Elements of an SVG: metadata and comments go. */
final class SvgPieces {

  private static final int LONGEST = 64 * 1024 * 1024;
  private static final int START = 4096;

  /** Names that a prefix may stand before. */
  private static final Pattern METADATA =
      Pattern.compile("/?(?:[\\w.-]+:)?metadata(?=[\\s/>]).*", Pattern.DOTALL);

  private static final Pattern DRAWING = Pattern.compile("<(?:[\\w.-]+:)?svg[\\s>]");

  private final String text;
  private final StringBuilder kept = new StringBuilder();
  private int depth;

  private SvgPieces(String text) {
    this.text = text;
  }

  /** Whether a file is one, by its beginning. */
  static boolean begin(Bytes in) throws IOException {
    String start = in.latin1(0, (int) Math.min(START, in.size()));
    String first = start.replaceFirst("^\u00ef\u00bb\u00bf", "").stripLeading();
    Matcher drawing = DRAWING.matcher(first);
    return first.startsWith("<") && drawing.find();
  }

  static void copy(Bytes in, FileChannel out) throws IOException, Broken {
    if (in.size() > LONGEST) {
      throw new Broken("too long");
    }
    // Each byte is one character here, so that every encoding that XML begins with stays whole.
    SvgPieces pieces = new SvgPieces(in.latin1(0, (int) in.size()));
    pieces.walk();
    ByteBuffer left = ByteBuffer.wrap(pieces.kept.toString().getBytes(StandardCharsets.ISO_8859_1));
    while (left.hasRemaining()) {
      out.write(left);
    }
  }

  private void walk() throws Broken {
    int at = 0;
    while (at < text.length()) {
      int open = text.indexOf('<', at);
      int until = open < 0 ? text.length() : open;
      keep(at, until);
      at = until;
      if (open >= 0) {
        at = tag(open);
      }
    }
    if (depth != 0) {
      throw new Broken("metadata without an end");
    }
  }

  /** Where what begins here ends. */
  private int tag(int open) throws Broken {
    if (text.startsWith("<!--", open)) {
      return end("-->", open + 4);
    }
    if (text.startsWith("<![CDATA[", open)) {
      int end = end("]]>", open);
      keep(open, end);
      return end;
    }
    int end = text.startsWith("<?", open) ? end("?>", open) : close(open);
    String inside = text.substring(open + 1, end - 1);
    if (!METADATA.matcher(inside + ">").matches()) {
      keep(open, end);
    } else if (inside.startsWith("/")) {
      depth--;
    } else if (!inside.endsWith("/")) {
      depth++;
    }
    if (depth < 0) {
      throw new Broken("metadata without a beginning");
    }
    return end;
  }

  private void keep(int from, int to) {
    if (depth == 0) {
      kept.append(text, from, to);
    }
  }

  private int end(String mark, int from) throws Broken {
    int found = text.indexOf(mark, from);
    if (found < 0) {
      throw new Broken("no end");
    }
    return found + mark.length();
  }

  /** A quoted value, or the list in a document type, may have the sign in it that ends a tag. */
  private int close(int open) throws Broken {
    char quote = 0;
    int lists = 0;
    for (int at = open + 1; at < text.length(); at++) {
      char c = text.charAt(at);
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '[') {
        lists++;
      } else if (c == ']') {
        lists--;
      } else if (c == '>' && lists <= 0) {
        return at + 1;
      }
    }
    throw new Broken("no end");
  }
}
