package dev.millrace.providers.openai;

import dev.millrace.spi.MediaTypes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** What a file is, by its first bytes. Which media type that is stands in {@link MediaTypes}. */
enum Magic {
  PNG("png", 0, "\u0089PNG\r\n\u001a\n"),
  JPEG("jpg", 0, "\u00ff\u00d8\u00ff"),
  GIF("gif", 0, "GIF8"),
  WEBP("webp", 8, "WEBP"),
  WAV("wav", 8, "WAVE"),
  OGG("ogg", 0, "OggS"),
  FLAC("flac", 0, "fLaC"),
  MP3("mp3", 0, "ID3"),
  MP3_FRAME("mp3", 0, "\u00ff");

  private final String extension;
  private final int offset;
  private final String sign;

  Magic(String extension, int offset, String sign) {
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
    return mediaType().startsWith("image/");
  }

  boolean isSound() {
    return mediaType().startsWith("audio/");
  }

  String mediaType() {
    return MediaTypes.ofName("." + extension);
  }

  String extension() {
    return extension;
  }
}
