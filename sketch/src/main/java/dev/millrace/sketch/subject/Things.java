package dev.millrace.sketch.subject;

import static dev.millrace.sketch.subject.Tone.COAT;
import static dev.millrace.sketch.subject.Tone.DARK;
import static dev.millrace.sketch.subject.Tone.LIGHT;
import static dev.millrace.sketch.subject.Tone.SHADE;
import static dev.millrace.sketch.subject.Tone.SPARK;

/** Subjects that people made, and the larger plants. */
final class Things {

  private Things() {}

  static Figure boat() {
    return Figure.draw("boat", Habit.WATER, 0xC8452E, 1.15)
        .line(DARK, 1.7, "M50 84 L50 0")
        .part(LIGHT, "M52 4 C74 24 88 52 90 78 C78 74 64 74 52 77 Z")
        .part(COAT, "M47 10 C40 34 26 60 8 76 C22 74 36 75 47 78 Z")
        .line(SHADE, 0.9, "M52 40 C64 40 74 42 80 46")
        .line(SHADE, 0.9, "M52 58 C66 57 78 59 87 63")
        .part(SPARK, "M50 0 C56 1 60 3 66 2 C62 5 60 6 50 6 Z")
        .part(DARK, "M4 82 C30 87 68 87 98 80 C95 92 88 102 80 106 L24 106 C14 102 7 92 4 82 Z")
        .part(
            COAT,
            "M4 82 C30 87 68 87 98 80 C97 85 95.4 89 94 92 C64 96 32 96 8.6 91 C6.6 88 5 85 4 82 Z")
        .done();
  }

  static Figure house() {
    return Figure.draw("house", Habit.GROUND, 0xC8553D, 0.75)
        .part(SHADE, "M86 34 L86 8 L98 8 L98 44 Z")
        .part(DARK, "M84 5 L100 5 L100 10 L84 10 Z")
        .part(LIGHT, "M14 50 L114 50 L114 100 L14 100 Z")
        .part(SHADE, "M50 62 L114 62 L114 50 L50 50 Z")
        .part(COAT, "M6 54 L34 16 L100 16 L124 54 Z")
        .part(SHADE, "M6 54 L34 16 L62 54 Z")
        .part(LIGHT, "M14 54 L34 26 L54 54 Z")
        .part(SPARK, "M29 42 L39 42 L39 52 L29 52 Z")
        .part(DARK, "M27 100 L27 74 C27 66 41 66 41 74 L41 100 Z")
        .part(SPARK, "M62 70 L76 70 L76 86 L62 86 Z")
        .part(SPARK, "M90 70 L104 70 L104 86 L90 86 Z")
        .line(DARK, 1.3, "M69 70 L69 86")
        .line(DARK, 1.3, "M62 78 L76 78")
        .line(DARK, 1.3, "M97 70 L97 86")
        .line(DARK, 1.3, "M90 78 L104 78")
        .done();
  }

  static Figure lighthouse() {
    return Figure.draw("lighthouse", Habit.GROUND, 0xC63D2F, 1.5)
        .part(LIGHT, "M40 30 L60 30 L66 100 L34 100 Z")
        .part(COAT, "M39 42 L61 42 L62.4 57 L37.6 57 Z")
        .part(COAT, "M36.4 71 L63.6 71 L65 86 L35 86 Z")
        .part(SHADE, "M55 42 L61 42 L62.4 57 L55.6 57 Z")
        .part(SHADE, "M56.4 71 L63.6 71 L65 86 L57 86 Z")
        .part(DARK, "M35 26 L65 26 L64 31 L36 31 Z")
        .part(SPARK, "M42 14 L58 14 L58 26 L42 26 Z")
        .line(DARK, 1, "M47 14 L47 26")
        .line(DARK, 1, "M53 14 L53 26")
        .part(COAT, "M39 14 C42 6 47 3 50 2 C53 3 58 6 61 14 Z")
        .line(DARK, 1, "M50 2 L50 -3")
        .part(DARK, "M46 100 L46 92 C46 88 54 88 54 92 L54 100 Z")
        .done();
  }

  static Figure balloon() {
    return Figure.draw("balloon", Habit.AIR, 0xD9482B, 1.2)
        .part(
            COAT,
            "M50 0 C22 0 8 20 10 40 C12 58 34 70 42 82 L58 82 C66 70 88 58 90 40 C92 20 78 0 50 0 Z")
        .part(LIGHT, "M50 0 C32 0 22 20 24 40 C26 58 40 70 45 82 L50 82 Z")
        .part(
            SHADE,
            "M50 0 C78 0 92 20 90 40 C88 58 66 70 58 82 L55 82 C60 70 74 58 76 40 C78 20 68 0 50 0 Z")
        .part(
            SPARK,
            "M50 0 C41 0 38 20 38.6 40 C40 58 46 70 48 82 L52 82 C54 70 60 58 61.4 40 C62 20 59 0 50 0 Z")
        .line(DARK, 0.8, "M43 82 L45 93")
        .line(DARK, 0.8, "M57 82 L55 93")
        .part(DARK, "M44 93 L56 93 C56 99 55 102 53 103 L47 103 C45 102 44 99 44 93 Z")
        .done();
  }

  static Figure rocket() {
    return Figure.draw("rocket", Habit.AIR, 0xD8432F, 1.3)
        .part(SPARK, "M42 82 C38 92 44 100 50 112 C56 100 62 92 58 82 Z")
        .part(LIGHT, "M46 82 C44 89 47 94 50 101 C53 94 56 89 54 82 Z")
        .pair(COAT, 50, "M38 54 C26 60 20 74 22 88 C28 82 34 78 42 77 Z")
        .part(LIGHT, "M50 -4 C66 12 70 40 62 78 L38 78 C30 40 34 12 50 -4 Z")
        .part(SHADE, "M50 -4 C66 12 70 40 62 78 L54 78 C62 42 60 14 50 -4 Z")
        .part(COAT, "M50 -4 C57 3 61.6 11 64 20 L36 20 C38.4 11 43 3 50 -4 Z")
        .oval(DARK, 50, 36, 8.4, 8.4)
        .oval(SPARK, 50, 36, 5.8, 5.8)
        .part(COAT, "M50 54 C54 62 54 76 52.4 88 L47.6 88 C46 76 46 62 50 54 Z")
        .part(DARK, "M38 78 L62 78 L60 84 L40 84 Z")
        .done();
  }

  static Figure tree() {
    return Figure.draw("tree", Habit.GROUND, 0x4F8A4B, 1.5)
        .part(DARK, "M46 100 C48 84 47 70 46 56 L54 56 C53 70 53 84 57 100 Z")
        .line(DARK, 3, "M50 66 C44 58 38 54 32 50")
        .line(DARK, 3, "M51 62 C58 54 62 50 68 47")
        .part(
            SHADE,
            "M50 4 C66 2 76 12 78 20 C90 22 96 34 90 44 C90 56 78 62 68 58 C62 64 40 66 34 58 C22 62 10 54 12 42 C6 32 14 20 24 20 C26 10 38 2 50 4 Z")
        .part(
            COAT,
            "M46 4 C58 4 66 11 68 20 C78 23 82 33 76 41 C74 51 62 53 56 49 C46 55 34 53 30 47 C20 49 11 42 13 36 C10 27 18 20 26 20 C28 11 36 4 46 4 Z")
        .part(LIGHT, "M30 18 C34 11 42 9 48 11 C42 13 36 17 33 22 Z")
        .part(LIGHT, "M18 30 C20 25 25 23 29 24 C25 26 21 30 20 35 Z")
        .oval(SPARK, 60, 28, 2.2, 2.2)
        .oval(SPARK, 40, 36, 2.2, 2.2)
        .oval(SPARK, 52, 40, 2.2, 2.2)
        .oval(SPARK, 70, 46, 2.2, 2.2)
        .oval(SPARK, 26, 40, 2.2, 2.2)
        .oval(SPARK, 46, 22, 2.2, 2.2)
        .oval(SPARK, 82, 32, 2.2, 2.2)
        .done();
  }

  static Figure flower() {
    return Figure.draw("flower", Habit.GROUND, 0xE0567A, 1.35)
        .line(DARK, 2.6, "M50 100 C52 84 48 64 50 36")
        .part(DARK, "M50 86 C36 84 26 74 22 60 C36 62 48 70 50 86 Z")
        .part(DARK, "M50 78 C62 76 72 66 76 52 C64 54 52 62 50 78 Z")
        .pair(SHADE, 50, "M50 44 C34 46 22 36 20 20 C32 16 46 26 50 44 Z")
        .part(SHADE, "M50 46 C38 30 40 10 50 0 C60 10 62 30 50 46 Z")
        .pair(COAT, 50, "M50 46 C36 40 28 24 32 8 C44 12 52 28 50 46 Z")
        .pair(COAT, 50, "M50 48 C36 52 22 46 16 34 C28 28 44 34 50 48 Z")
        .part(COAT, "M50 48 C40 38 42 22 50 14 C58 22 60 38 50 48 Z")
        .part(LIGHT, "M50 48 C46 40 46 30 50 24 C54 30 54 40 50 48 Z")
        .oval(SPARK, 50, 47, 5, 4)
        .done();
  }
}
