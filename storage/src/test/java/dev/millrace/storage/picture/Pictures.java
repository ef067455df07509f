package dev.millrace.storage.picture;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Picture files, good and bad. */
public final class Pictures {

  private static final byte[] PNG_SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

  private Pictures() {}

  public static byte[] pngSignature() {
    return PNG_SIGNATURE.clone();
  }

  /** Left half red, right half blue; transparent in a corner if the type can be. */
  static byte[] encoded(int width, int height, int imageType, String format) throws IOException {
    BufferedImage image = new BufferedImage(width, height, imageType);
    Graphics2D graphics = image.createGraphics();
    graphics.setColor(Color.RED);
    graphics.fillRect(0, 0, width, height);
    graphics.setColor(Color.BLUE);
    graphics.fillRect(width / 2, 0, width, height);
    graphics.dispose();
    if (image.getColorModel().hasAlpha()) {
      image.setRGB(0, 0, 0);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if (!ImageIO.write(image, format, bytes)) {
      throw new IOException("no encoder");
    }
    return bytes.toByteArray();
  }

  public static byte[] png(int width, int height) throws IOException {
    return encoded(width, height, BufferedImage.TYPE_INT_RGB, "png");
  }

  /** A JPEG that comes in the ten passes that encoders make of it. */
  static byte[] progressive(int side) throws IOException {
    BufferedImage image =
        ImageIO.read(
            new ByteArrayInputStream(encoded(side, side, BufferedImage.TYPE_INT_RGB, "png")));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
    try (ImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
      ImageWriteParam passes = writer.getDefaultWriteParam();
      passes.setProgressiveMode(ImageWriteParam.MODE_DEFAULT);
      writer.setOutput(out);
      writer.write(null, new IIOImage(image, null, null), passes);
    } finally {
      writer.dispose();
    }
    return bytes.toByteArray();
  }

  /** A JPEG whose last pass comes again and again. */
  static byte[] inPasses(int side, int count) throws IOException {
    byte[] good = progressive(side);
    int end = good.length - 2;
    int last = end;
    while (good[last] != (byte) 0xff || good[last + 1] != (byte) 0xda) {
      last--;
    }
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.write(good, 0, last);
    for (int i = 0; i < count; i++) {
      file.write(good, last, end - last);
    }
    file.write(good, end, 2);
    return file.toByteArray();
  }

  /** A PNG that claims these dimensions, over whatever data. */
  public static byte[] claiming(int width, int height, byte[] data) {
    byte[] header =
        ByteBuffer.allocate(13)
            .putInt(width)
            .putInt(height)
            .put(new byte[] {8, 2, 0, 0, 0})
            .array();
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(PNG_SIGNATURE);
    file.writeBytes(chunk("IHDR", header));
    file.writeBytes(chunk("IDAT", data));
    file.writeBytes(chunk("IEND", new byte[0]));
    return file.toByteArray();
  }

  static byte[] chunk(String type, byte[] data) {
    CRC32 crc = new CRC32();
    crc.update(type.getBytes(US_ASCII));
    crc.update(data);
    return ByteBuffer.allocate(data.length + 12)
        .putInt(data.length)
        .put(type.getBytes(US_ASCII))
        .put(data)
        .putInt((int) crc.getValue())
        .array();
  }

  /** So many zeros, compressed about a thousandfold. */
  static byte[] deflatedZeros(long count) {
    try (Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION)) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      byte[] buffer = new byte[1 << 16];
      for (long left = count; left > 0; left -= buffer.length) {
        deflater.setInput(new byte[(int) Math.min(left, 1 << 16)]);
        while (!deflater.needsInput()) {
          out.write(buffer, 0, deflater.deflate(buffer));
        }
      }
      deflater.finish();
      while (!deflater.finished()) {
        out.write(buffer, 0, deflater.deflate(buffer));
      }
      return out.toByteArray();
    }
  }
}
