package dev.millrace.sketch.subject;

import static dev.millrace.sketch.subject.Tone.COAT;
import static dev.millrace.sketch.subject.Tone.DARK;
import static dev.millrace.sketch.subject.Tone.LIGHT;
import static dev.millrace.sketch.subject.Tone.SHADE;
import static dev.millrace.sketch.subject.Tone.SPARK;

/** Animals that walk. */
final class FourLegged {

  private FourLegged() {}

  static Figure fox() {
    return Figure.draw("fox", Habit.GROUND, 0xD8602A, 1)
        .part(
            COAT,
            "M56 97 C84 101 103 86 100 64 C98 52 92 46 90 34 C82 44 84 56 76 64 C68 72 60 80 54 88 Z")
        .part(
            LIGHT,
            "M90 34 C92 46 98 52 100 64 C95 58 92 62 89 56 C86 60 84 57 82.5 55 C84 48 85 41 90 34 Z")
        .part(COAT, "M34 40 C25 56 23 80 26 98 L62 98 C76 90 73 66 60 52 C56 47 55 42 55 38 Z")
        .part(LIGHT, "M33 46 C33 58 37 70 44 79 C51 70 54 57 53 45 Z")
        .part(SHADE, "M65 98 C49 99 45 84 54 73 C63 64 75 76 72 90 C71 95 69 98 65 98 Z")
        .part(DARK, "M29 84 C31 82 36 82 38.5 84 L38 98 L27.5 98 C27.5 93 28 88 29 84 Z")
        .part(DARK, "M42 84 C44 82 49 82 51 84 L51.5 98 L41 98 Z")
        .part(DARK, "M50 98 C50 94 55 92.5 62 93 C68 93.5 70 96 69 98 Z")
        .pair(COAT, 44, "M21 31 C17 20 17 9 20 0 C29 4 37 9 41 16 Z")
        .pair(DARK, 44, "M23.5 24 C21.5 17 21 11 22 5.5 C27 8.5 32 12 35 16.5 Z")
        .part(
            COAT,
            "M44 54 C38 51 29 45 17 38 C20 25 30 13 44 12.5 C58 13 68 25 71 38 C59 45 50 51 44 54 Z")
        .pair(LIGHT, 44, "M44 54 C38 51 29 45 17 38 C26 35 34 36 38.5 42 C41 46 42 49 44 50 Z")
        .pair(DARK, 44, "M29 32 C31 28.6 36 28.6 38.4 33 C35 34.6 31 34.4 29 32 Z")
        .oval(DARK, 44, 51.4, 3.5, 2.8)
        .done();
  }

  static Figure wolf() {
    return Figure.draw("wolf", Habit.GROUND, 0x6B7785, 1.1)
        .part(COAT, "M62 90 C76 84 92 86 100 96 C88 101 70 100 60 98 Z")
        .part(
            COAT, "M35 38 C28 50 28 64 32 76 L29 98 L64 98 C80 96 82 78 73 64 C67 55 60 50 57 40 Z")
        .part(LIGHT, "M35 38 C28 50 28 64 32 76 C36 72 41 62 42 52 C42 46 40 40 38 37 Z")
        .part(SHADE, "M66 98 C50 98 48 84 56 74 C65 66 78 78 74 90 C73 95 70 98 66 98 Z")
        .part(SHADE, "M42 66 C45 74 45 86 43 98 L36 98 C39 88 40 76 39 68 Z")
        .part(
            COAT,
            "M57 42 C61 32 58 23 50 19 C43 15 35 9 25 0 C22 2 22 6 24 10 C27 17 29 23 32 28 C33 33 34 37 35 41 Z")
        .part(
            LIGHT,
            "M24 10 C27 17 29 23 32 28 C33 33 34 37 35 41 C39 38 40 30 38 25 C34 21 28 16 24 10 Z")
        .part(DARK, "M25 0 C22 2 22 5 23.4 8 C26 7 28 5 28.4 3 Z")
        .part(SHADE, "M50 19 C57 16 64 17 69 21 C64 26 59 30 54 31 C50 28 49 23 50 19 Z")
        .line(DARK, 1.4, "M41 18 C43 18.5 44.5 19.5 45.4 21")
        .part(DARK, "M29.4 93 L45 93 L44 98 L28 98 Z")
        .done();
  }

  static Figure cat() {
    return Figure.draw("cat", Habit.GROUND, 0x3A3A44, 0.95)
        .line(COAT, 7.5, "M60 93 C82 97 92 84 86 70 C81 59 86 50 94 52")
        .part(
            COAT,
            "M46 36 C33 44 27 62 26 82 C26 92 30 98 38 98 L58 98 C66 96 68 90 67 80 C65 62 59 44 46 36 Z")
        .part(SHADE, "M67 80 C68 92 64 98 56 98 C52 92 53 78 60 70 C64 72 66 76 67 80 Z")
        .part(
            LIGHT,
            "M46 42 C40 46 37 53 38 60 C40 67 43 71 46 73 C49 71 52 67 54 60 C55 53 52 46 46 42 Z")
        .lines(SHADE, 46, 1.4, "M45 98 C45.4 90 45 84 43 78")
        .pair(LIGHT, 46, "M34 98 C33 94.5 36 92.5 40 92.8 C44 93 46 95 45.6 98 Z")
        .pair(COAT, 46, "M26.5 30 C23 19 23 9 25 1 C33 5 40 9 44 15 Z")
        .pair(SPARK, 46, "M28 22 C26.4 16.5 26.4 11 27 6.5 C31.6 9 35 11.5 37.5 14.5 Z")
        .part(
            COAT,
            "M46 12 C59 12 68 20 68 31 C68 41 57 47 46 47 C35 47 24 41 24 31 C24 20 33 12 46 12 Z")
        .pair(SPARK, 46, "M31 30 C33 25 39.6 25 42 31 C39 34.6 33.6 34.6 31 30 Z")
        .ovals(DARK, 46, 37, 30.2, 1.5, 3.7)
        .pair(LIGHT, 46, "M46 38 C42 37.4 38.6 39 38.6 41.6 C38.8 44 43.4 45 46 43 Z")
        .part(SPARK, "M43.6 36.4 L48.4 36.4 L46 39.2 Z")
        .lines(LIGHT, 46, 0.55, "M37.5 40.6 L20 37.4")
        .lines(LIGHT, 46, 0.55, "M37.5 42.2 L21 43.6")
        .done();
  }

  static Figure deer() {
    return Figure.draw("deer", Habit.GROUND, 0xB8693A, 1.35)
        .part(SHADE, "M44 66 C45 76 44.6 84 44 98 L48 98 C49.4 86 51 76 52 66 Z")
        .part(SHADE, "M65 66 C65 76 70 80 68.6 86 L66.6 98 L70.6 98 L74 85 L76 66 Z")
        .part(LIGHT, "M83 49 C88 49 92 54 90.6 61 C87 60 84 57 82 52 Z")
        .part(
            COAT,
            "M25 60 C22 52 22 42 20 34 L32 29 C34 39 41 46 50 47.4 C60 47.6 70 46.6 77 48 C85 50 88 57 86.4 65 C85.4 71 82.4 74 82 80 L80.4 86 L77.6 98 L73 98 L74.4 85 C73.4 80 72.6 75 71 71.4 C62 71.6 52 73.6 43 72 L38.6 84 L37.4 98 L33 98 L33.4 83 C32.4 77 31 71 29.6 67 C27.6 65 26 63 25 60 Z")
        .part(LIGHT, "M20.4 37 C21.4 43 22 51 25 60 C26 63 27.6 65 29.6 67 C32 58 30 46 27 37 Z")
        .part(LIGHT, "M45 72.2 C54 73.4 62 71.6 71 71.4 C68 68.4 56 68.6 45 72.2 Z")
        .part(SHADE, "M31 27 C36 21.4 42 20 46.4 21.6 C44 27 38.4 30 33 30 Z")
        .part(
            COAT,
            "M8 37.4 C7 34.6 8 32.4 11.4 30.4 C16 26.4 20.4 22.4 26.6 22 C32.6 22 35.6 26.6 33.4 32 C30.4 37 24 37.6 18.6 39 C14 40.4 9.6 40.4 8 37.4 Z")
        .part(SHADE, "M24 24 C20 19.6 15.4 18.4 11.6 19.2 C13.6 24 18 27 22.4 27.4 Z")
        .oval(DARK, 9, 35, 1.8, 1.6)
        .oval(DARK, 22, 28.4, 1.4, 1.6)
        .line(DARK, 1.9, "M25.6 22 C23 12 12 12 10 -2")
        .line(DARK, 1.6, "M20.6 13.6 C21.6 7 22 2 20.4 -4")
        .line(DARK, 1.5, "M14.4 9 C10 8 7.4 6.4 5.4 3")
        .line(DARK, 1.9, "M28.6 22 C30 12 42 13 45 -1")
        .line(DARK, 1.6, "M33.4 14 C32.6 8 32.6 2 34.6 -4")
        .line(DARK, 1.5, "M40 9.6 C44.4 9 47.4 7.6 50 4.6")
        .oval(LIGHT, 56, 53, 1.3, 1)
        .oval(LIGHT, 63, 51.6, 1.3, 1)
        .oval(LIGHT, 70, 54, 1.3, 1)
        .oval(LIGHT, 60, 57, 1.2, 1)
        .oval(LIGHT, 67, 58.6, 1.3, 1)
        .oval(LIGHT, 76, 56, 1.3, 1)
        .done();
  }

  static Figure hare() {
    return Figure.draw("hare", Habit.GROUND, 0xA98464, 0.85)
        .oval(LIGHT, 90, 86, 7, 6.6)
        .part(SHADE, "M26 46 C17 33 14 16 17 2 C28 10 34 28 35 44 Z")
        .part(
            COAT,
            "M36 60 C46 50 64 50 78 60 C92 71 94 92 82 98 L36 98 C32 92 32 86 34 80 C28 74 30 66 36 60 Z")
        .part(LIGHT, "M34 66 C30 74 34 84 40 92 C46 84 46 72 40 62 Z")
        .part(SHADE, "M84 98 C62 100 54 86 62 74 C70 64 88 72 88 86 C88 92 87 96 84 98 Z")
        .part(LIGHT, "M54 98 C54 94 62 92.4 72 93 C78 93.6 80 96 79 98 Z")
        .part(DARK, "M35 98 C35 95 39 93.6 44 94 C48 94.4 49 96.4 48.6 98 Z")
        .part(COAT, "M30 45 C28 29 32 12 41 1 C48 14 46 33 39 48 Z")
        .part(SPARK, "M34 42 C33 29 36 17 41 8 C44 18 43 31 38 43 Z")
        .part(
            COAT,
            "M10 58 C11 49 20 42 30 42 C40 42 46 50 45 58 C44 67 34 71 24 69 C16 68 10 64 10 58 Z")
        .part(LIGHT, "M10 58 C11 63 16 68 24 69 C28 69.6 31 69 34 68 C32 62 22 58 10 58 Z")
        .oval(DARK, 26, 53, 2.5, 2.9)
        .oval(LIGHT, 25.2, 52, 0.8, 0.9)
        .oval(DARK, 10.6, 57.6, 1.8, 1.5)
        .done();
  }

  static Figure bear() {
    return Figure.draw("bear", Habit.GROUND, 0x6A4630, 1.05)
        .part(SHADE, "M58 70 L56 98 L70 98 C71 88 74 80 78 74 Z")
        .part(SHADE, "M84 70 C88 80 86 90 82 98 L96 98 C100 88 102 78 102 68 Z")
        .oval(SHADE, 24, 30, 5, 5)
        .part(
            COAT,
            "M12 46 C14 38 20 32 29 31 C38 26 46 22 56 23 C66 20 84 22 99 31 C114 40 118 58 115 76 L117 98 L101 98 C100 88 96 82 90 77 C78 80 66 80 57 76 C56 84 55 92 55 98 L38 98 C37 88 36 78 32 69 C26 68 19 66 14 63 C9 61 4 59 3 55 C3 50 8 49 12 46 Z")
        .oval(COAT, 34, 30, 5.6, 5.6)
        .oval(SHADE, 34, 30.6, 3, 3)
        .part(
            LIGHT,
            "M12 47 C17 49 20 54 19 60 C18 62 16 63.4 14 63 C9 61 4 59 3 55 C3 50 8 49 12 47 Z")
        .part(DARK, "M2.6 53 C3 49.6 6.4 48.6 9 49 C9.4 52 7 55 3.4 56 Z")
        .oval(DARK, 19, 44, 1.6, 1.8)
        .part(DARK, "M37.8 94 L55.2 94 L55 98 L38 98 Z")
        .part(DARK, "M101 94 L116.6 94 L117 98 L101 98 Z")
        .done();
  }

  static Figure horse() {
    return Figure.draw("horse", Habit.GROUND, 0x8A4B2C, 1.35)
        .part(
            DARK,
            "M92 44 C102 44 108 56 104 72 C102 82 106 88 110 92 C100 94 94 84 95 72 C95 62 92 54 88 50 Z")
        .part(SHADE, "M46 66 L44 98 L49.6 98 L54 68 Z")
        .part(SHADE, "M74 64 C75 76 79 80 77 86 L74 98 L79.6 98 L83.6 84 L84 64 Z")
        .part(
            COAT,
            "M28 60 C25 50 25 38 22 30 L34 20 C40 30 46 40 56 43 C68 44 80 40 90 43 C98 47 100 58 96 68 C94 74 92 78 92 84 L90 98 L84 98 L85 84 C84 77 82 72 78 69 C68 71 54 72 45 70 C42 76 41 82 41 86 L40 98 L34.4 98 L35 84 C34 76 32 70 31 66 Z")
        .part(
            DARK,
            "M28 14 C36 14 44 22 48 32 C51 38 55 41 60 43 C52 45 45 43 40 37 C36 31 33 26 30 22 Z")
        .part(
            COAT,
            "M4 40 C3 37 5 33.4 9 30 C15 24 20 17 26 13 C33 11.6 37 17 36 23 C34 29 28 31 22 33.4 C17 36 13 42 9 43 C6.4 43.2 4.6 42 4 40 Z")
        .part(COAT, "M27 15 C27 10 28.6 6 31.4 3 C34 8 34 12 33 16 Z")
        .part(
            LIGHT,
            "M21.6 18.4 C18 23 14 27.6 10 31.4 C11 33 13 32.4 14.4 31 C18 27.4 22 23.4 24 19.6 Z")
        .oval(DARK, 25.4, 21.4, 1.6, 1.8)
        .oval(DARK, 6.6, 38.6, 1.2, 1.6)
        .part(LIGHT, "M34.6 90 L40.8 90 L40.4 95 L34.4 95 Z")
        .part(LIGHT, "M84.6 90 L91 90 L90.4 95 L84.2 95 Z")
        .done();
  }

  static Figure elephant() {
    return Figure.draw("elephant", Habit.GROUND, 0x7D8794, 1.25)
        .line(SHADE, 2.6, "M118 48 C124 56 124 66 120 74")
        .part(SHADE, "M56 66 L56 98 L70 98 L72 70 Z")
        .part(SHADE, "M86 66 L88 98 L100 98 L104 66 Z")
        .part(
            COAT,
            "M40 30 C58 18 92 20 108 32 C120 42 121 62 118 78 L118 98 L102 98 C102 88 98 80 92 76 C80 79 70 78 60 74 L58 98 L42 98 C42 84 40 72 36 62 Z")
        .part(
            COAT,
            "M46 30 C44 20 30 14 20 22 C10 30 10 44 12 58 C13 70 14 80 8 88 C5 91 1 90 0 86 C-3 90 -1 96 5 97 C14 98 21 90 22 78 C22 72 23 66 26 62 C36 66 48 56 48 42 Z")
        .part(LIGHT, "M22 62 C18 72 10 76 1 74 C8 72 13 66 15 58 Z")
        .part(
            SHADE,
            "M34 26 C44 18 60 22 62 36 C63 50 56 62 46 66 C38 60 32 50 31 40 C30 34 31 29 34 26 Z")
        .oval(DARK, 22, 40, 1.8, 2)
        .part(LIGHT, "M42.4 94 C44 91.6 47 91.6 48 94 C49.6 91.6 52 91.6 53.4 94 L53.4 98 L42 98 Z")
        .part(
            LIGHT,
            "M102.4 94 C104 91.6 107 91.6 108 94 C109.6 91.6 112 91.6 113.4 94 L113.4 98 L102 98 Z")
        .done();
  }
}
