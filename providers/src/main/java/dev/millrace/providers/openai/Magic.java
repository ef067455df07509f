package dev.millrace.providers.openai;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** What a file is, by its first bytes. */
enum Magic {
  PNG("image/png", "png", 0, "\u0089PNG\r\n\u001a\n"),
  JPEG("image/jpeg", "jpg", 0, "\u00ff\u00d8\u00ff"),
  GIF("image/gif", "gif", 0, "GIF8"),
  WEBP("image/webp", "webp", 8, "WEBP"),
  WAV("audio/wav", "wav", 8, "WAVE"),
  OGG("audio/ogg", "ogg", 0, "OggS"),
  FLAC("audio/flac", "flac", 0, "fLaC"),
  MP3("audio/mpeg", "mp3", 0, "ID3"),
  MP3_FRAME("audio/mpeg", "mp3", 0, "\u00ff");

  private final String mediaType;
  private final String extension;
  private final int offset;
  private final String sign;

  Magic(String mediaType, String extension, int offset, String sign) {
    this.mediaType = mediaType;
    this.extension = extension;
    this.offset = offset;
    this.sign = sign;
  }

  static Optional<Magic> of(byte[] file) {
    return Arrays.stream(values()).filter(kind -> kind.fits(file)).findFirst();
  }

  private boolean fits(byte[] file) {
    // Each character stands for one byte.
    byte[] wanted = sign.getBytes(StandardCharsets.ISO_8859_1);
    int end = offset + wanted.length;
    boolean signed =
        file.length >= end && Arrays.equals(file, offset, end, wanted, 0, wanted.length);
    // A frame of MPEG audio: eleven set bits, and a layer that isn't the reserved one.
    return signed
        && (this != MP3_FRAME
            || (file.length > 1 && (file[1] & 0xe0) == 0xe0 && (file[1] & 0x06) != 0));
  }

  boolean isPicture() {
    return mediaType.startsWith("image/");
  }

  boolean isSound() {
    return mediaType.startsWith("audio/");
  }

  String mediaType() {
    return mediaType;
  }

  String extension() {
    return extension;
  }
}
