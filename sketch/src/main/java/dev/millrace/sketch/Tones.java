package dev.millrace.sketch;

import dev.millrace.sketch.canvas.Dice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** A short tone for each word, whose pitch follows from the word. */
final class Tones {

  private static final int RATE = 16_000;
  private static final int MOST_WORDS = 200;
  private static final int SAMPLES_OF_A_WORD = RATE / 6;
  private static final double LOUDNESS = 0.3 * Short.MAX_VALUE;

  private Tones() {}

  static byte[] wav(String text) {
    List<String> words =
        Pattern.compile("\\s+").splitAsStream(text.strip()).limit(MOST_WORDS).toList();
    int bytes = 2 * SAMPLES_OF_A_WORD * Math.max(1, words.size());
    ByteBuffer wav = ByteBuffer.allocate(44 + bytes).order(ByteOrder.LITTLE_ENDIAN);
    wav.put(ascii("RIFF")).putInt(36 + bytes).put(ascii("WAVEfmt ")).putInt(16);
    wav.putShort((short) 1).putShort((short) 1).putInt(RATE).putInt(2 * RATE);
    wav.putShort((short) 2).putShort((short) 16).put(ascii("data")).putInt(bytes);
    for (String word : words.isEmpty() ? List.of("") : words) {
      double pitch = 220 * Math.pow(2, Math.floorMod(Dice.hash(word), 25) / 12.0);
      for (int i = 0; i < SAMPLES_OF_A_WORD; i++) {
        double swell = Math.sin(Math.PI * i / SAMPLES_OF_A_WORD);
        wav.putShort((short) (LOUDNESS * swell * Math.sin(2 * Math.PI * pitch * i / RATE)));
      }
    }
    return wav.array();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
