package dev.millrace.sketch.subject;

import static dev.millrace.sketch.subject.Tone.COAT;
import static dev.millrace.sketch.subject.Tone.DARK;
import static dev.millrace.sketch.subject.Tone.LIGHT;
import static dev.millrace.sketch.subject.Tone.SHADE;
import static dev.millrace.sketch.subject.Tone.SPARK;

/** Animals that fly or swim. */
final class WingedAndFinned {

  private WingedAndFinned() {}

  static Figure owl() {
    Figure.Drawing owl =
        Figure.draw("owl", Habit.PERCH, 0x8A5A36, 1)
            .part(SHADE, "M42 88 L36 110 L50 106 L64 110 L58 88 Z")
            .pair(COAT, 50, "M25 32 C20 21 20 11 21 1 C31 5 40 11 47 18 Z")
            .part(
                COAT,
                "M50 12 C28 12 21 32 21 54 C21 78 36 95 50 97 C64 95 79 78 79 54 C79 32 72 12 50 12 Z")
            .part(
                LIGHT,
                "M50 44 C38 44 33 57 34 70 C36 83 44 92 50 93 C56 92 64 83 66 70 C67 57 62 44 50 44 Z");
    for (int row = 0; row < 4; row++) {
      int count = row % 2 == 0 ? 3 : 2;
      for (int i = 0; i < count; i++) {
        double x = 50 + (i - (count - 1) / 2.0) * 8.6;
        double y = 58 + row * 8;
        owl.part(
            SHADE,
            "M%s %s C%s %s %s %s %s %s Z"
                .formatted(x - 3.2, y, x - 2.6, y + 6.4, x + 2.6, y + 6.4, x + 3.2, y));
      }
    }
    return owl.pair(SHADE, 50, "M23 38 C11 56 16 84 36 94 C37 76 35 54 27 38 Z")
        .pair(DARK, 50, "M17 66 C17 78 24 88 36 94 C36.4 88 36.4 84 36 80 C28 78 21 73 17 66 Z")
        .ovals(LIGHT, 50, 38.6, 33, 13.4, 13.4)
        .ovals(SPARK, 50, 39.4, 33, 9, 9)
        .ovals(DARK, 50, 40, 33, 5.4, 5.4)
        .ovals(LIGHT, 50, 38.2, 31, 1.7, 1.7)
        .part(
            SHADE,
            "M50 33 C44 24 34 19 21 17 C28 12 42 13 50 22 C58 13 72 12 79 17 C66 19 56 24 50 33 Z")
        .part(SPARK, "M50 35 C47 37 46 40 47 43 L50 49 L53 43 C54 40 53 37 50 35 Z")
        .lines(DARK, 50, 2.2, "M41 94 L40 99")
        .lines(DARK, 50, 2.2, "M45 94.6 L45 99.6")
        .done();
  }

  static Figure bird() {
    return Figure.draw("bird", Habit.PERCH, 0x2F7F9E, 0.72)
        .part(DARK, "M70 60 C84 66 96 76 104 86 L98 88 L99 92 C88 88 76 80 66 70 Z")
        .line(DARK, 1.8, "M40 80 L42 96")
        .line(DARK, 1.8, "M50 80 L53 96")
        .line(DARK, 1.8, "M37 96.6 L47 96.6")
        .line(DARK, 1.8, "M48 96.6 L58 96.6")
        .part(
            COAT,
            "M14 40 C13 26 24 18 36 20 C50 22 60 34 70 46 C78 55 84 62 88 70 C78 72 72 76 64 79 C54 86 38 86 28 77 C17 68 15 54 14 40 Z")
        .part(
            LIGHT,
            "M15 46 C16 57 18 69 28 77 C38 86 54 86 64 79 C54 80 44 74 38 64 C33 55 26 47 15 46 Z")
        .part(SPARK, "M15 46 C16 55 18 63 23 70 C32 72 38 68 38 64 C33 55 26 47 15 46 Z")
        .part(SHADE, "M40 44 C54 42 70 54 82 74 C68 77 50 73 42 62 C37 55 36 49 40 44 Z")
        .line(LIGHT, 1.3, "M46 53 C56 55 64 61 70 69")
        .line(LIGHT, 1.3, "M44 59 C52 62 58 66 64 71")
        .part(DARK, "M16 31 L2 38 L15 41.6 Z")
        .part(DARK, "M16 36 C20 30 28 29 34 33 C28 37 21 39 16 38 Z")
        .oval(LIGHT, 26.4, 33, 2.2, 2.2)
        .oval(DARK, 26.2, 33, 1.4, 1.4)
        .done();
  }

  static Figure heron() {
    return Figure.draw("heron", Habit.GROUND, 0xE9ECEA, 1.35)
        .line(DARK, 1.5, "M52 64 L51 98")
        .line(DARK, 1.5, "M60 64 L62 82 L60 98")
        .line(DARK, 1.4, "M46 98.4 L53 98.4")
        .line(DARK, 1.4, "M55 98.4 L62 98.4")
        .part(DARK, "M76 62 C84 66 90 72 93 78 C84 77 76 74 70 68 Z")
        .part(
            COAT,
            "M34 58 C28 50 38 42 36 32 C34 24 26 24 25 17 C25 10 33 8 38 12 C46 18 46 30 43 38 C41 43 48 42 56 44 C68 46 78 54 86 68 C72 72 46 76 34 58 Z")
        .part(SHADE, "M48 48 C62 46 76 56 88 72 C74 72 58 70 50 60 C46 56 45 51 48 48 Z")
        .part(SPARK, "M27 13.6 L2 21 L27 19.4 Z")
        .part(DARK, "M28 13 C33 9 39 10 50 14 C44 14.6 36 16 30 16.6 Z")
        .oval(DARK, 31, 16.4, 1.1, 1.1)
        .done();
  }

  static Figure butterfly() {
    return Figure.draw("butterfly", Habit.AIR, 0xE08A2E, 0.9)
        .pair(
            DARK,
            60,
            "M58 50 C50 26 28 4 6 8 C-2 12 4 40 16 50 C8 56 10 72 18 84 C28 94 46 80 58 56 Z")
        .pair(COAT, 60, "M55 48 C46 28 28 10 12 13 C6 17 10 38 22 48 C34 52 46 51 55 48 Z")
        .pair(SHADE, 60, "M55 54 C44 53 30 53 20 56 C14 62 16 70 22 79 C30 86 46 74 55 54 Z")
        .pair(SPARK, 60, "M44 42 C38 30 28 20 20 20 C18 26 22 36 30 42 C36 44 40 44 44 42 Z")
        .ovals(LIGHT, 60, 10.4, 14, 1.5, 1.5)
        .ovals(LIGHT, 60, 8.4, 21, 1.5, 1.5)
        .ovals(LIGHT, 60, 9.6, 28, 1.5, 1.5)
        .ovals(LIGHT, 60, 12.6, 35, 1.5, 1.5)
        .ovals(LIGHT, 60, 28, 66, 4.6, 4.6)
        .ovals(DARK, 60, 28, 66, 2.2, 2.2)
        .oval(DARK, 60, 52, 2.8, 20)
        .oval(DARK, 60, 31, 3.2, 3.4)
        .lines(DARK, 60, 0.9, "M59 29 C56 20 52 14 46 12")
        .done();
  }

  static Figure whale() {
    return Figure.draw("whale", Habit.WATER, 0x2E5E86, 1.0)
        .line(LIGHT, 2.4, "M40 20 C40 10 33 4 24 6")
        .line(LIGHT, 2.4, "M40 20 C40 8 48 1 57 5")
        .line(LIGHT, 2.4, "M40 20 L40 0")
        .part(
            COAT,
            "M4 62 C0 42 16 24 44 24 C74 24 92 42 108 45 C117 46 121 40 121 33 C114 31 106 22 105 12 C115 12 123 17 126 24 C131 17 141 14 150 17 C147 28 138 35 131 37 C131 56 114 70 94 75 C64 82 12 88 4 62 Z")
        .part(LIGHT, "M4 62 C22 67 44 70 60 66 C74 63 86 66 94 75 C64 82 12 88 4 62 Z")
        .line(SHADE, 0.9, "M12 70 C30 76 52 76 74 69")
        .line(SHADE, 0.9, "M18 74 C36 79 58 79 82 72")
        .line(SHADE, 0.9, "M28 78 C44 81 64 81 86 75")
        .part(SHADE, "M48 64 C50 76 60 87 76 90 C77 80 70 68 60 61 Z")
        .oval(DARK, 27, 58, 2.2, 2.4)
        .oval(LIGHT, 26.4, 57.2, 0.8, 0.8)
        .line(LIGHT, 1, "M24 53 C26 51.6 29 51.6 31 53")
        .oval(LIGHT, 52, 33, 1.6, 1.1)
        .oval(LIGHT, 60, 36, 1.2, 0.9)
        .oval(LIGHT, 56, 40, 1, 0.8)
        .done();
  }

  static Figure fish() {
    return Figure.draw("fish", Habit.WATER, 0xE4572E, 0.75)
        .part(
            SHADE,
            "M92 50 C104 30 118 26 128 26 C122 36 120 44 120 50 C120 56 122 66 128 76 C116 74 102 70 92 50 Z")
        .part(SHADE, "M40 30 C48 14 66 8 82 16 C78 22 78 28 78 34 Z")
        .part(SHADE, "M52 68 C52 80 60 88 72 88 C70 80 72 72 74 66 Z")
        .part(
            COAT,
            "M6 50 C18 28 46 20 70 30 C84 36 94 44 102 50 C94 56 84 64 70 70 C46 80 18 72 6 50 Z")
        .part(LIGHT, "M6 50 C18 72 46 80 70 70 C84 64 94 56 102 50 C76 58 36 64 6 50 Z")
        .part(LIGHT, "M46 24 C52 30 54 40 52 48 C62 44 68 36 68 29 C60 25 52 23 46 24 Z")
        .part(LIGHT, "M80 36 C80 42 82 46 86 48 C92 47 96 47 98 47 C92 42 86 39 80 36 Z")
        .line(SHADE, 1.5, "M34 29 C42 40 42 60 33 72")
        .part(SHADE, "M44 54 C52 58 58 66 58 74 C50 72 44 64 44 54 Z")
        .oval(DARK, 21, 44, 3.4, 3.4)
        .oval(LIGHT, 20, 43, 1.1, 1.1)
        .done();
  }

  static Figure turtle() {
    return Figure.draw("turtle", Habit.WATER, 0x3F8F6B, 0.8)
        .part(SHADE, "M70 68 C82 78 98 86 112 84 C110 74 98 64 86 60 Z")
        .part(LIGHT, "M96 56 C106 58 114 60 120 66 C112 68 104 66 96 62 Z")
        .part(LIGHT, "M34 58 C24 66 8 62 4 50 C2 42 8 36 16 37 C26 38 34 46 40 52 Z")
        .part(COAT, "M28 58 C30 34 54 20 78 28 C96 34 108 50 110 60 C90 72 46 76 28 58 Z")
        .part(SHADE, "M56 32 L72 30 L78 44 L66 54 L52 46 Z")
        .part(SHADE, "M82 34 C90 38 96 44 100 50 L88 54 L82 45 Z")
        .part(SHADE, "M34 50 C37 43 42 38 50 35 L48 47 L40 55 Z")
        .part(SHADE, "M52 51 L64 58 L62 66 C54 66 46 63 42 60 Z")
        .part(SHADE, "M70 58 L80 49 L87 58 L84 64 C78 66 72 66 68 66 Z")
        .part(LIGHT, "M36 60 C34 76 22 92 4 98 C4 84 16 66 30 56 Z")
        .oval(DARK, 13, 46, 2, 2.2)
        .done();
  }
}
