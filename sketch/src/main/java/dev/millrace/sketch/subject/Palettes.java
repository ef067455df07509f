package dev.millrace.sketch.subject;

import dev.millrace.sketch.canvas.Palette;
import dev.millrace.sketch.canvas.Tint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The palettes, chosen by hand, and how a reading picks one. */
public final class Palettes {

  private static final Map<String, Palette> SCENES =
      table(
          """
          dawn:   7FB2C4 FBE3C5 FFF0C9 C6BCC4 7C8FA0 24425A E2603A FFF4E0 142A3D F6EBDA
          day:    6FB7C9 FDF1D3 FFD166 A9CFC6 4F9D8D 17504F E4572E FFF8E7 0F3438 F8F0DE
          dusk:   4A3A73 F9A773 FFE3A8 C0708A 6D4473 241B3F FF7B54 FFE8C9 17102B F5E6D3
          night:  0B1B3A 4A7A9C FDF3D0 3A6286 1F3F63 081226 F2B75C EAF2F5 060D1C EFE9DC
          autumn: EDB96A FDEBC8 FFF6DC E0A865 B5532C 4A1F1A D1401F FFF1D6 2C1110 F7EAD3
          winter: 9CBBD0 F7ECE2 FFE3C2 A9C0D2 CBDAE4 F3F6F6 C8452E FFFFFF 22384F F4F1EA
          frost:  16294C 6F93B5 FDF6DD 5E7FA3 90ABC6 DCE6EE F2B75C FFFFFF 0D1B33 EEF0EE
          sea:    5FB0B7 FCEBCF FFC15E 8CC9C4 2A8C94 0C4A60 F26B4E FFFAEC 072F40 F6EFDC
          sunsea: F0785A FFDFA6 FFF6D2 D98A86 6E5A86 23244F F9C45C FFF3DC 161636 F8EBD6
          desert: 84BDB8 FCE6C0 FFF0C4 E9B184 CB6A45 6E2C2F 1F7A78 FFF3DD 3A1519 F8ECD8
          forest: BFDCC0 F8F3D4 FFF3B0 A7C9A4 4E8A6A 12392F E07A36 FFF9E3 0A241F F5F0DC
          city:   5B5B9A F7B6A0 FFE9B8 A98BB5 5B5488 1E2045 FFC857 FFF1DC 121330 F4E9DC
          spring: A8D5D8 FDE9E4 FFF4CF D9C6D6 86B08A 2C5E4B E8718D FFF8F0 17382F FAF1E6
          storm:  3F5660 C8CFC0 F4EED2 8A9E9C 4C6A6E 172B32 D9A441 F3F0E2 0C191E ECE8DA
          """);

  private static final Map<String, Palette> COLORS =
      table(
          """
          red:    E8694A FCDDB8 FFF3D6 EFA383 B23A35 3F1320 D4261D FFF4E2 260A14 F8EAD6
          orange: F4A04A FEE9C4 FFF7DC F3BC80 D0672A 4A2014 EF7B1A FFF4E0 2B110B F9ECD6
          gold:   EDB638 FFF1C8 FFFBE8 EFCB74 C08A22 47300F F2A900 FFF9E4 2A1B08 FAF1D8
          green:  A9D3A0 F6F5D2 FFF6C0 A5CC98 4F9358 123C2B 3E9B4F FBFBE6 0A2419 F4F2DC
          teal:   5DBDB5 F6F1D6 FFF3C4 9AD2C8 2B9490 0B4450 12918C FAFBEF 062B35 F3F1DF
          blue:   4F8FC0 EAF3EE FFF6D8 9DC3DC 3F77AE 0E2A55 2560C4 F8FBFA 081A38 F1F1E8
          purple: 7C5BA6 F6DDE8 FFF0D9 B99BCB 74498F 2A1446 8E3FB0 FFF4F2 190A2C F5EAE6
          pink:   F08FA9 FFEBDD FFF7E6 F3B6BE C75B7E 4A1838 E8477E FFF6EE 2C0C22 FAECE4
          white:  B9CBD6 F8F4EC FFFFFF C5D2DA 8DA3B2 34495C F4F4F0 FFFFFF 1E2E3D F6F3EC
          black:  DCD5C5 F6F0E2 E04B33 BDB6A8 6E6B68 1D1D20 2A2A2E F7F2E6 121214 F5EFE2
          brown:  D9BE94 F7EBD2 FFF6E0 D3B48C 8F603C 38200F 8A5230 FBF3E2 21120A F5EAD6
          """);

  private static final List<String> OPEN =
      List.of("dawn", "day", "dusk", "autumn", "forest", "spring");

  private Palettes() {}

  static Palette of(Reading reading) {
    String scene = scene(reading);
    if (reading.color().isEmpty()) {
      return named(SCENES, scene.isEmpty() ? open(reading) : scene);
    }
    Palette color = named(COLORS, reading.color());
    if (scene.isEmpty()) {
      return color;
    }
    // Black and white say little about a scene, so they leave it alone and only mark the accent.
    boolean plain = reading.color().equals("black") || reading.color().equals("white");
    Palette base = named(SCENES, scene).withAccent(color.accent());
    return plain ? base : base.leaning(color.accent(), 0.22);
  }

  /** The main colour of a subject: the named one, or its own. */
  public static int coat(Reading reading, Figure figure, Palette palette) {
    boolean main =
        !reading.cast().isEmpty() && reading.cast().getFirst().name().equals(figure.name());
    return main && !reading.color().isEmpty()
        ? named(COLORS, reading.color()).accent()
        : Tint.mix(figure.coat(), palette.accent(), 0.08);
  }

  private static String scene(Reading reading) {
    if (reading.land() == Land.SNOW) {
      return reading.atNight() ? "frost" : "winter";
    }
    if (reading.has(Touch.STORM)) {
      return "storm";
    }
    return switch (reading.hour()) {
      case NIGHT -> "night";
      case DUSK -> reading.land() == Land.SEA ? "sunsea" : "dusk";
      case DAWN -> "dawn";
      case DAY -> reading.land() == Land.SEA ? "sea" : "day";
      case ANY -> anyHour(reading);
    };
  }

  private static String anyHour(Reading reading) {
    if (reading.has(Touch.AUTUMN)) {
      return "autumn";
    }
    if (reading.has(Touch.SPRING)) {
      return "spring";
    }
    if (!reading.color().isEmpty()) {
      return "";
    }
    boolean even = (reading.hash() & 1) == 0;
    return switch (reading.land()) {
      case SEA -> even ? "sea" : "sunsea";
      case DESERT -> "desert";
      case CITY -> "city";
      case FOREST -> even ? "forest" : "autumn";
      case MEADOW -> even ? "spring" : "day";
      case HILLS, MOUNTAINS, SNOW -> "";
    };
  }

  private static String open(Reading reading) {
    return OPEN.get((int) Long.remainderUnsigned(reading.hash() >>> 7, OPEN.size()));
  }

  private static Palette named(Map<String, Palette> palettes, String name) {
    return Objects.requireNonNull(palettes.get(name), name);
  }

  private static Map<String, Palette> table(String rows) {
    Map<String, Palette> palettes = new HashMap<>();
    for (String row : rows.split("\n", -1)) {
      int colon = row.indexOf(':');
      if (colon > 0) {
        palettes.put(row.substring(0, colon), Palette.of(row.substring(colon + 1)));
      }
    }
    return Map.copyOf(palettes);
  }
}
