package dev.millrace.storage.picture;

import dev.millrace.storage.MediaType;
import dev.millrace.storage.picture.PictureDecoding.Wanted;
import java.io.InputStream;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes small versions of pictures that nobody vouches for.
 *
 * <p>The header is read first, and a picture that claims too much is not decoded at all. What is
 * decoded is thinned out on the way, so memory follows the thumbnail's size and not the original's.
 * Metadata is skipped, since it can be compressed a thousandfold. A JPEG may come in any number of
 * passes over the whole picture, each a few bytes long; only the first of them are decoded, which
 * show it well enough.
 *
 * <p>Decoding has a few threads of its own, the same for everybody in this process, and a deadline:
 * it is native or tight code, which gives a request's thread to nobody else until it is done. Each
 * call has a budget for all its pictures, and each owner one turn at a time. Whatever goes wrong,
 * the answer is a missing thumbnail: no job fails for want of one.
 */
public final class Thumbnails {

  /** The longer side of a thumbnail; smaller originals keep their size. */
  public static final int LONG_SIDE = 320;

  static final long MAX_PIXELS = 64_000_000;

  /** Of a picture that is decoded as a whole, at six bytes a pixel outside of the heap. */
  static final long MAX_HELD_PIXELS = 24_000_000;

  /** A decoder holds whole rows, whatever is thinned out. */
  static final int MAX_SIDE = 32_768;

  /** A picture file is read through memory. */
  static final long MAX_FILE_BYTES = 64L << 20;

  /** A picture's pixels times the passes over it. Common progressive pictures have ten passes. */
  static final long MAX_PIXELS_IN_PASSES = 6 * MAX_PIXELS;

  /** However small the picture is. */
  static final int MAX_PASSES = 100;

  /** Some decoders hold the whole picture (progressive JPEG does), so only a few run at once. */
  private static final int AT_ONCE =
      Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 2);

  /** Half of a call's budget, so that one slow picture of somebody else's doesn't use it up. */
  private static final Duration DECODE_TIME = Duration.ofSeconds(3);

  private static final Logger LOG = LoggerFactory.getLogger(Thumbnails.class);

  private static final PictureTurns TURNS = new PictureTurns(AT_ONCE);
  private static final Executor THREADS = threads();

  static {
    // Drawing needs no screen; asking for one fails where DISPLAY is set and nobody answers.
    if (System.getProperty("java.awt.headless") == null) {
      System.setProperty("java.awt.headless", "true");
    }
  }

  private final Executor threads;
  private final PictureTurns turns;
  private final Duration decodeTime;

  /** Thumbnails by the threads that this process has for them. */
  public Thumbnails() {
    this(THREADS, TURNS, DECODE_TIME);
  }

  Thumbnails(Executor threads, PictureTurns turns, Duration decodeTime) {
    this.threads = threads;
    this.turns = turns;
    this.decodeTime = decodeTime;
  }

  /** Over a picture of this size; what has no passes has one. */
  static long mostPasses(long pixels) {
    return Math.clamp(MAX_PIXELS_IN_PASSES / pixels, 1, MAX_PASSES);
  }

  private static Executor threads() {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            AT_ONCE,
            AT_ONCE,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("pictures-", 1).factory());
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /**
   * Looks at a picture, and does not close it.
   *
   * @return empty if this is no picture that can be read here, or nobody has time for it
   */
  public Optional<Picture> of(InputStream file, MediaType type, PictureBudget budget) {
    return of(file, type, Wanted.THUMBNAIL, budget);
  }

  /** The same without a thumbnail, which costs almost nothing. */
  public Optional<Picture> sizeOf(InputStream file, MediaType type, PictureBudget budget) {
    return of(file, type, Wanted.SIZE, budget);
  }

  private Optional<Picture> of(
      InputStream file, MediaType type, Wanted wanted, PictureBudget budget) {
    Iterator<ImageReader> readers =
        switch (type) {
          case PNG, JPEG, GIF -> ImageIO.getImageReadersByMIMEType(type.essence());
          default -> Collections.emptyIterator();
        };
    if (!readers.hasNext()) {
      return Optional.empty();
    }
    if (budget.left().isZero()) {
      LOG.info("no thumbnail, because the call's other pictures took too long");
      return Optional.empty();
    }
    try (PictureBudget.Use use = budget.use()) {
      if (turns.take(budget.owner(), use.left())) {
        Duration left = use.left();
        Duration time = left.compareTo(decodeTime) < 0 ? left : decodeTime;
        return decoded(
            new PictureDecoding(readers.next(), file, type, wanted, time), budget.owner(), time);
      }
      LOG.warn("no thumbnail, because others' pictures take too long");
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }

  /** The turn is given back by the thread that decodes, when it really is done. */
  private Optional<Picture> decoded(PictureDecoding decoding, String owner, Duration time)
      throws InterruptedException {
    FutureTask<Optional<Picture>> task = new FutureTask<>(decoding::run);
    threads.execute(() -> {
      try {
        task.run();
      } finally {
        turns.giveBack(owner);
      }
    });
    try {
      return task.get(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      decoding.stop();
      LOG.warn("no thumbnail of a picture that takes longer than {}", time);
      return decoding.seen();
    } catch (ExecutionException e) {
      LOG.warn("no thumbnail of a picture", e);
      return decoding.seen();
    }
  }
}
