package dev.millrace.storage.picture;

import dev.millrace.storage.MediaType;
import dev.millrace.storage.ObjectWriter;

/** A small picture, encoded and ready to be stored. */
public final class Thumbnail {

  private final MediaType type;
  private final int width;
  private final int height;
  private final byte[] bytes;

  Thumbnail(MediaType type, int width, int height, byte[] bytes) {
    this.type = type;
    this.width = width;
    this.height = height;
    this.bytes = bytes;
  }

  public MediaType type() {
    return type;
  }

  public int width() {
    return width;
  }

  public int height() {
    return height;
  }

  public int size() {
    return bytes.length;
  }

  public ObjectWriter content() {
    return out -> out.write(bytes);
  }
}
