package dev.millrace.server.objects;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes small versions of pictures that nobody vouches for.
 *
 * <p>The header is read first, and a picture that claims too much is not decoded at all. What is
 * decoded is thinned out on the way, so memory follows the thumbnail's size and not the original's.
 * Metadata is skipped, since it can be compressed a thousandfold. Whatever goes wrong, the answer
 * is a missing thumbnail: no job fails for want of one.
 */
public final class Thumbnails {

  /** The longer side of a thumbnail; smaller originals keep their size. */
  public static final int LONG_SIDE = 320;

  static final long MAX_PIXELS = 64_000_000;

  /** A decoder holds whole rows, whatever is thinned out. */
  static final int MAX_SIDE = 32_768;

  /** A picture file is read through memory. */
  static final long MAX_FILE_BYTES = 64L << 20;

  /** Some decoders hold the whole picture (progressive JPEG does), so only a few run at once. */
  private static final int AT_ONCE = 2;

  private static final Logger LOG = LoggerFactory.getLogger(Thumbnails.class);

  static {
    // Drawing needs no screen; asking for one fails where DISPLAY is set and nobody answers.
    if (System.getProperty("java.awt.headless") == null) {
      System.setProperty("java.awt.headless", "true");
    }
  }

  private final Semaphore turns = new Semaphore(AT_ONCE);

  /**
   * Looks at a picture, and does not close it.
   *
   * @return empty if this is no picture that can be read here
   */
  public Optional<Picture> of(InputStream file, MediaType type) {
    Iterator<ImageReader> readers =
        switch (type) {
          case PNG, JPEG, GIF -> ImageIO.getImageReadersByMIMEType(type.essence());
          default -> Collections.emptyIterator();
        };
    if (!readers.hasNext()) {
      return Optional.empty();
    }
    ImageReader reader = readers.next();
    turns.acquireUninterruptibly();
    try (ImageInputStream input =
        new MemoryCacheImageInputStream(new BoundedInput(file, MAX_FILE_BYTES))) {
      reader.setInput(input, true, true);
      return look(reader);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      // Decoders answer garbage with every kind of exception, and an absurd length in it with an
      // allocation that can't be met.
      LOG.debug("not a readable {}", type, e);
      return Optional.empty();
    } finally {
      reader.dispose();
      turns.release();
    }
  }

  private static Optional<Picture> look(ImageReader reader) throws IOException {
    int width = reader.getWidth(0);
    int height = reader.getHeight(0);
    if (width < 1 || height < 1) {
      return Optional.empty();
    }
    if ((long) width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE) {
      LOG.debug("no thumbnail of {} x {} pixels", width, height);
      return Optional.of(new Picture(width, height, null));
    }
    try {
      return Optional.of(new Picture(width, height, shrink(reader, width, height)));
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      LOG.debug("no thumbnail of a damaged picture", e);
      return Optional.of(new Picture(width, height, null));
    }
  }

  private static Thumbnail shrink(ImageReader reader, int width, int height) throws IOException {
    int longSide = Math.max(width, height);
    // Twice as large as needed is left, for a smooth last step.
    int every = Math.max(1, longSide / (2 * LONG_SIDE));
    ImageReadParam thinned = reader.getDefaultReadParam();
    thinned.setSourceSubsampling(every, every, 0, 0);
    BufferedImage decoded = reader.read(0, thinned);

    double scale = Math.min(1.0, (double) LONG_SIDE / longSide);
    int smallWidth = Math.max(1, (int) Math.round(width * scale));
    int smallHeight = Math.max(1, (int) Math.round(height * scale));
    boolean transparent = decoded.getColorModel().hasAlpha();
    BufferedImage small =
        net.coobird.thumbnailator.Thumbnails.of(decoded)
            .forceSize(smallWidth, smallHeight)
            .imageType(transparent ? BufferedImage.TYPE_INT_ARGB : BufferedImage.TYPE_INT_RGB)
            .asBufferedImage();
    return encode(small, transparent ? MediaType.PNG : MediaType.JPEG);
  }

  private static Thumbnail encode(BufferedImage image, MediaType type) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
      if (!ImageIO.write(image, type.extension(), out)) {
        throw new IOException("no encoder for " + type);
      }
    }
    return new Thumbnail(type, image.getWidth(), image.getHeight(), bytes.toByteArray());
  }
}
