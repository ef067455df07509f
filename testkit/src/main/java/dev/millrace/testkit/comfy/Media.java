package dev.millrace.testkit.comfy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Small files that begin as their kind does, with a text in them by which to tell them apart. */
final class Media {

  /** What ComfyUI writes into the files that it saves: the whole graph. */
  private static final String GRAPH = "{\"6\": {\"inputs\": {\"text\": \"the operator's graph\"}}}";

  private Media() {}

  /**
   * A file.
   *
   * @param ending such as {@code .png}
   */
  static byte[] of(String ending, String text) {
    return switch (ending) {
      case ".png" -> png(text);
      case ".webp" -> ascii("RIFF\0\0\0\0WEBPVP8 " + text);
      case ".mp4" -> ascii("\0\0\0\030ftypisom" + text);
      case ".flac" -> ascii("fLaC" + text);
      case ".json" -> ascii("{\"text\": \"" + text + "\"}");
      default -> ascii(text);
    };
  }

  /** One row of grey pixels that are the text, and beside them the graph, as ComfyUI has it. */
  private static byte[] png(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'});
    byte[] size = ByteBuffer.allocate(13).putInt(text.length()).putInt(1).put((byte) 8).array();
    chunk(out, "IHDR", size);
    chunk(out, "tEXt", ascii("prompt\0" + GRAPH));
    chunk(out, "tEXt", ascii("workflow\0" + GRAPH));
    chunk(out, "IDAT", deflated(ascii("\0" + text)));
    chunk(out, "IEND", new byte[0]);
    return out.toByteArray();
  }

  private static void chunk(ByteArrayOutputStream out, String type, byte[] data) {
    CRC32 sum = new CRC32();
    sum.update(ascii(type));
    sum.update(data);
    out.writeBytes(ByteBuffer.allocate(4).putInt(data.length).array());
    out.writeBytes(ascii(type));
    out.writeBytes(data);
    out.writeBytes(ByteBuffer.allocate(4).putInt((int) sum.getValue()).array());
  }

  private static byte[] deflated(byte[] plain) {
    try (Deflater deflater = new Deflater(Deflater.NO_COMPRESSION)) {
      deflater.setInput(plain);
      deflater.finish();
      byte[] buffer = new byte[plain.length + 64];
      int length = deflater.deflate(buffer);
      return Arrays.copyOf(buffer, length);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
