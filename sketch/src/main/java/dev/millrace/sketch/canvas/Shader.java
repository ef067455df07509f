package dev.millrace.sketch.canvas;

/** Gives each point of a filled shape its colour. */
@FunctionalInterface
public interface Shader {

  /**
   * The colour of a point.
   *
   * @param x in canvas units
   * @param y in canvas units
   * @param grain white noise of the pixel, from 0 up to 1, for stippling
   * @return {@code 0xAARRGGBB}
   */
  int argb(double x, double y, double grain);

  /** One colour scattered over another, as a dry brush does it; the density may vary by place. */
  static Shader stipple(int ground, int speck, Density density) {
    int under = 0xFF000000 | ground;
    int over = 0xFF000000 | speck;
    return (x, y, grain) -> grain < density.at(x, y) ? over : under;
  }

  /** How much of a place is covered, from 0 to 1. */
  @FunctionalInterface
  interface Density {
    double at(double x, double y);
  }
}
