package dev.millrace.storage;

import java.io.IOException;
import java.io.OutputStream;

/** Writes the bytes of one object. */
@FunctionalInterface
public interface ObjectWriter {
  void writeTo(OutputStream out) throws IOException;
}
