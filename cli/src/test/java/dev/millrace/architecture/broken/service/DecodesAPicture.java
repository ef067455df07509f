package dev.millrace.architecture.broken.service;

import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.swing.ImageIcon;

/** Three ways to decode a picture without any bound, and one to write one. */
final class DecodesAPicture {

  BufferedImage atOnce(File file) throws IOException {
    return ImageIO.read(file);
  }

  int byAReader(ImageReader reader) throws IOException {
    return reader.getWidth(0);
  }

  int byAnIcon(String file) {
    return new ImageIcon(file).getIconWidth();
  }

  boolean writes(BufferedImage image, File file) throws IOException {
    return ImageIO.write(image, "png", file);
  }
}
