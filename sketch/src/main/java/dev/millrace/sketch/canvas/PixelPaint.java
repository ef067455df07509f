package dev.millrace.sketch.canvas;

import java.awt.Paint;
import java.awt.PaintContext;
import java.awt.Rectangle;
import java.awt.RenderingHints;
import java.awt.Transparency;
import java.awt.geom.AffineTransform;
import java.awt.geom.Rectangle2D;
import java.awt.image.ColorModel;
import java.awt.image.Raster;
import java.awt.image.WritableRaster;
import org.jspecify.annotations.Nullable;

/**
 * Lets Java2D fill a shape from a {@link Shader}. The shape's edge stays anti-aliased, which a clip
 * would not give.
 */
final class PixelPaint implements Paint {

  private final Shader shader;
  private final double scale;
  private final int salt;

  PixelPaint(Shader shader, double scale, int salt) {
    this.shader = shader;
    this.scale = scale;
    this.salt = salt;
  }

  @Override
  public int getTransparency() {
    return Transparency.TRANSLUCENT;
  }

  @Override
  public PaintContext createContext(
      @Nullable ColorModel model,
      @Nullable Rectangle device,
      @Nullable Rectangle2D user,
      @Nullable AffineTransform transform,
      @Nullable RenderingHints hints) {
    return new Context();
  }

  private final class Context implements PaintContext {

    private @Nullable WritableRaster raster;
    private int[] row = new int[0];

    @Override
    public void dispose() {
      raster = null;
    }

    @Override
    public ColorModel getColorModel() {
      return ColorModel.getRGBdefault();
    }

    @Override
    public Raster getRaster(int left, int top, int width, int height) {
      WritableRaster target = raster;
      if (target == null || target.getWidth() < width || target.getHeight() < height) {
        target = getColorModel().createCompatibleWritableRaster(width, height);
        raster = target;
      }
      if (row.length < width) {
        row = new int[width];
      }
      for (int j = 0; j < height; j++) {
        for (int i = 0; i < width; i++) {
          int px = left + i;
          int py = top + j;
          row[i] = shader.argb((px + 0.5) / scale, (py + 0.5) / scale, Noise.white(px, py, salt));
        }
        target.setDataElements(0, j, width, 1, row);
      }
      return target;
    }
  }
}
