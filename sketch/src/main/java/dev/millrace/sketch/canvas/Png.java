package dev.millrace.sketch.canvas;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Encodes pictures in memory; the usual way of ImageIO would leave a cache file on disk. */
public final class Png {

  private Png() {}

  public static byte[] encode(BufferedImage image) {
    ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 20);
    try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
      writer.setOutput(out);
      writer.write(new IIOImage(image, null, null));
    } catch (IOException e) {
      throw new UncheckedIOException("a picture could not be encoded in memory", e);
    } finally {
      writer.dispose();
    }
    return bytes.toByteArray();
  }
}
