package dev.millrace.worker.media;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Finds out what a file is by how it begins, and takes its metadata out. */
public final class Metadata {

  private Metadata() {}

  /** What became of a file. */
  public enum Outcome {
    /** It has none any more. */
    REMOVED,
    /** It isn't of a kind that this knows. */
    UNKNOWN_KIND,
    /** It begins as a kind that this knows and goes on as none, so it was left alone. */
    BROKEN
  }

  /**
   * Takes the metadata out of a file.
   *
   * @throws IOException if the file can't be read or written
   */
  public static Outcome remove(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      Bytes in = new Bytes(channel);
      return switch (kind(in)) {
        case PNG -> rewritten(file, in, PngPieces::copy);
        case WEBP -> rewritten(file, in, WebpPieces::copy);
        case JPEG -> rewritten(file, in, JpegPieces::copy);
        case GIF -> rewritten(file, in, GifPieces::copy);
        case MP4 -> blanked(in, Mp4Pieces::blank);
        case WEBM -> blanked(in, WebmPieces::blank);
        case FLAC -> blanked(in, AudioPieces::blankFlac);
        case MP3 -> blanked(in, AudioPieces::blankMp3);
        case OGG -> blanked(in, OggPieces::blank);
        case GLB -> blanked(in, GlbPieces::blank);
        case SVG -> rewritten(file, in, SvgPieces::copy);
        case OTHER -> Outcome.UNKNOWN_KIND;
      };
    }
  }

  private enum Kind {
    PNG,
    WEBP,
    JPEG,
    GIF,
    MP4,
    WEBM,
    FLAC,
    MP3,
    OGG,
    GLB,
    SVG,
    OTHER
  }

  private static Kind kind(Bytes in) throws IOException {
    if (in.size() < 16) {
      return Kind.OTHER;
    }
    String start = in.latin1(0, 12);
    if (start.startsWith("\u0089PNG\r\n\u001a\n")) {
      return Kind.PNG;
    }
    if (start.startsWith("RIFF") && start.endsWith("WEBP")) {
      return Kind.WEBP;
    }
    if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) {
      return Kind.GIF;
    }
    if (start.startsWith("\u00ff\u00d8\u00ff")) {
      return Kind.JPEG;
    }
    if (start.startsWith("ftyp", 4)) {
      return Kind.MP4;
    }
    if (start.startsWith("\u001aE\u00df\u00a3")) {
      return Kind.WEBM;
    }
    if (start.startsWith("fLaC")) {
      return Kind.FLAC;
    }
    if (start.startsWith("OggS")) {
      return Kind.OGG;
    }
    if (start.startsWith("glTF")) {
      return Kind.GLB;
    }
    if (start.startsWith("ID3")) {
      return Kind.MP3;
    }
    return SvgPieces.begin(in) ? Kind.SVG : Kind.OTHER;
  }

  /** Writes the pieces that stay to another file. */
  @FunctionalInterface
  private interface Copier {
    void copy(Bytes in, FileChannel out) throws IOException, Broken;
  }

  /** Blanks the pieces that go where they are, because others are found by their place. */
  @FunctionalInterface
  private interface Blanker {
    void blank(Bytes file) throws IOException, Broken;
  }

  private static Outcome rewritten(Path file, Bytes in, Copier copier) throws IOException {
    Path bare = file.resolveSibling(file.getFileName() + ".bare");
    try {
      try (FileChannel out =
          FileChannel.open(
              bare,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        copier.copy(in, out);
      }
      Files.move(bare, file, StandardCopyOption.REPLACE_EXISTING);
      return Outcome.REMOVED;
    } catch (Broken _) {
      return Outcome.BROKEN;
    } finally {
      Files.deleteIfExists(bare);
    }
  }

  private static Outcome blanked(Bytes file, Blanker blanker) throws IOException {
    try {
      blanker.blank(file);
      return Outcome.REMOVED;
    } catch (Broken _) {
      return Outcome.BROKEN;
    }
  }
}
