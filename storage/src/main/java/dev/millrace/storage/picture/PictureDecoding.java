package dev.millrace.storage.picture;

import dev.millrace.storage.BoundedInput;
import dev.millrace.storage.MediaType;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.event.IIOReadProgressListener;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The decoding of one picture, on a thread that may be left alone with it. After its deadline it
 * gets nothing more to read and is told to stop at its next row, by its own thread: a JPEG reader
 * refuses to be stopped by any other.
 */
final class PictureDecoding {

  private static final Logger LOG = LoggerFactory.getLogger(PictureDecoding.class);

  private final ImageReader reader;
  private final InputStream file;
  private final MediaType type;
  private final Wanted wanted;
  private final long timeNanos;
  private volatile boolean stopped;
  private volatile @Nullable Picture header;
  private long end;
  private boolean aborted;

  /** What is asked for. */
  enum Wanted {
    /** What the header tells. */
    SIZE,
    /** A thumbnail too. */
    THUMBNAIL
  }

  /**
   * The decoding of a picture that is not begun yet.
   *
   * @param time that it may take
   */
  PictureDecoding(
      ImageReader reader, InputStream file, MediaType type, Wanted wanted, Duration time) {
    this.reader = reader;
    this.file = file;
    this.type = type;
    this.wanted = wanted;
    this.timeNanos = time.toNanos();
  }

  /** For whoever waits no longer. */
  void stop() {
    stopped = true;
  }

  /** What is known of the picture, while it is being decoded or if it can't be. */
  Optional<Picture> seen() {
    return Optional.ofNullable(header);
  }

  Optional<Picture> run() {
    end = System.nanoTime() + timeNanos;
    InputStream bounded = new BoundedInput(new Source(file), Thumbnails.MAX_FILE_BYTES);
    @Nullable FirstPasses passes = type == MediaType.JPEG ? new FirstPasses(bounded) : null;
    try (ImageInputStream input =
        new MemoryCacheImageInputStream(passes == null ? bounded : passes)) {
      reader.addIIOReadProgressListener(new Deadline());
      reader.setInput(input, true, true);
      return look(passes);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      // Decoders answer garbage with every kind of exception, and an absurd length in it with an
      // allocation that can't be met.
      LOG.debug("not a readable picture", e);
      return seen();
    } finally {
      reader.dispose();
    }
  }

  private boolean over() {
    return stopped || System.nanoTime() - end >= 0;
  }

  private Optional<Picture> look(@Nullable FirstPasses passes) throws IOException {
    int width = reader.getWidth(0);
    int height = reader.getHeight(0);
    if (width < 1 || height < 1) {
      return Optional.empty();
    }
    Picture plain = new Picture(width, height, null);
    header = plain;
    if (wanted == Wanted.SIZE) {
      return Optional.of(plain);
    }
    boolean heldWhole = passes != null && passes.heldWhole();
    if ((long) width * height > (heldWhole ? Thumbnails.MAX_HELD_PIXELS : Thumbnails.MAX_PIXELS)
        || Math.max(width, height) > Thumbnails.MAX_SIDE) {
      LOG.debug("no thumbnail of {} x {} pixels", width, height);
      return Optional.of(plain);
    }
    return Optional.of(new Picture(width, height, shrink(width, height)));
  }

  private @Nullable Thumbnail shrink(int width, int height) throws IOException {
    int longSide = Math.max(width, height);
    // Twice as large as needed is left, for a smooth last step.
    int every = Math.max(1, longSide / (2 * Thumbnails.LONG_SIDE));
    ImageReadParam thinned = reader.getDefaultReadParam();
    thinned.setSourceSubsampling(every, every, 0, 0);
    BufferedImage decoded = reader.read(0, thinned);
    if (aborted) {
      return null;
    }

    double scale = Math.min(1.0, (double) Thumbnails.LONG_SIDE / longSide);
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

  /** Ends with an error when the time is over. */
  private final class Source extends FilterInputStream {

    Source(InputStream file) {
      super(file);
    }

    @Override
    public int read() throws IOException {
      requireTime();
      return super.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      requireTime();
      return super.read(bytes, offset, length);
    }

    private void requireTime() throws IOException {
      if (over()) {
        throw new IOException("the time for this picture is over");
      }
    }
  }

  /** Looks at the clock with every row or so. */
  private final class Deadline implements IIOReadProgressListener {

    @Override
    public void imageStarted(ImageReader source, int image) {
      imageProgress(source, 0);
    }

    @Override
    public void imageProgress(ImageReader source, float percentage) {
      if (over()) {
        source.abort();
      }
    }

    @Override
    public void readAborted(ImageReader source) {
      aborted = true;
    }

    @Override
    public void imageComplete(ImageReader source) {}

    @Override
    public void sequenceStarted(ImageReader source, int first) {}

    @Override
    public void sequenceComplete(ImageReader source) {}

    @Override
    public void thumbnailStarted(ImageReader source, int image, int thumbnail) {}

    @Override
    public void thumbnailProgress(ImageReader source, float percentage) {}

    @Override
    public void thumbnailComplete(ImageReader source) {}
  }
}
