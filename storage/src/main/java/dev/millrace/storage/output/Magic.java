package dev.millrace.storage.output;

import dev.millrace.storage.MediaType;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/** How files of a type begin. */
public final class Magic {

  /** Enough for every test here; text beyond it is not looked at. */
  public static final int HEAD_BYTES = 4096;

  private Magic() {}

  /**
   * Whether a file that starts like this can be of this type.
   *
   * @param head the first {@link #HEAD_BYTES} bytes, or all if there are fewer
   */
  public static boolean fits(MediaType type, byte[] head) {
    return switch (type) {
      case PNG -> has(head, 0, "\u0089PNG\r\n\u001a\n");
      case JPEG -> has(head, 0, "\u00ff\u00d8\u00ff");
      case WEBP -> has(head, 0, "RIFF") && has(head, 8, "WEBP");
      case GIF -> has(head, 0, "GIF87a") || has(head, 0, "GIF89a");
      case AVIF -> has(head, 4, "ftypavif") || has(head, 4, "ftypavis");
      case SVG ->
          text(head).filter(text -> text.startsWith("<") && text.contains("<svg")).isPresent();
      case MP4 -> has(head, 4, "ftyp");
      case WEBM -> has(head, 0, "\u001aE\u00df\u00a3");
      case MP3 -> has(head, 0, "ID3") || isMpegAudioFrame(head);
      case WAV -> has(head, 0, "RIFF") && has(head, 8, "WAVE");
      case OGG -> has(head, 0, "OggS");
      case FLAC -> has(head, 0, "fLaC");
      case JSON -> text(head).filter(Magic::startsAsJson).isPresent();
      case TEXT, MARKDOWN, HTML -> text(head).isPresent();
      case CSV -> text(head).isPresent() || (isSheet(head) && !fits(MediaType.PDF, head));
      case PDF -> has(head, 0, "%PDF-");
      case ZIP -> has(head, 0, "PK\u0003\u0004");
      case GLB -> has(head, 0, "glTF");
      case BINARY -> true;
    };
  }

  /** Each character of what is expected stands for one byte. */
  private static boolean has(byte[] head, int offset, String expected) {
    byte[] wanted = expected.getBytes(StandardCharsets.ISO_8859_1);
    int end = offset + wanted.length;
    return head.length >= end && Arrays.equals(head, offset, end, wanted, 0, wanted.length);
  }

  /** Spreadsheets write tables in UTF-16 with a mark, or with one byte for each character. */
  private static boolean isSheet(byte[] head) {
    return has(head, 0, "\u00ff\u00fe")
        || has(head, 0, "\u00fe\u00ff")
        || IntStream.range(0, head.length)
            .map(i -> head[i] & 0xff)
            .allMatch(b -> b >= ' ' || b == '\t' || b == '\n' || b == '\r');
  }

  /** Eleven set bits, and a layer that is not the reserved one, which AAC uses. */
  private static boolean isMpegAudioFrame(byte[] head) {
    return head.length >= 2
        && (head[0] & 0xff) == 0xff
        && (head[1] & 0xe0) == 0xe0
        && (head[1] & 0x06) != 0;
  }

  private static boolean startsAsJson(String text) {
    return !text.isEmpty() && "{[\"-0123456789tfn".indexOf(text.charAt(0)) >= 0;
  }

  /**
   * Reads UTF-8 without NUL; a character that the end of the head cuts in two is forgiven. What
   * leads up to the text is left away.
   */
  private static Optional<String> text(byte[] head) {
    CharBuffer text = CharBuffer.allocate(head.length);
    boolean whole = head.length < HEAD_BYTES;
    boolean malformed =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .decode(ByteBuffer.wrap(head), text, whole)
            .isError();
    String decoded = text.flip().toString();
    if (malformed || decoded.indexOf('\0') >= 0) {
      return Optional.empty();
    }
    return Optional.of(
        (decoded.startsWith("\ufeff") ? decoded.substring(1) : decoded).stripLeading());
  }
}
