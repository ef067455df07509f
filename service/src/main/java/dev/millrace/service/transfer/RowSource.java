package dev.millrace.service.transfer;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Rows, one after the other, the same whenever it is opened. */
interface RowSource extends AutoCloseable {

  /** What it comes from can't be read any further; the message is for its owner. */
  @SuppressWarnings("serial")
  final class Unreadable extends Exception {
    Unreadable(String message) {
      super(message);
    }
  }

  /** The next one; null after the last. */
  @Nullable Row next() throws IOException, Unreadable;

  /** How much of it has been read, from 0 to 100. */
  int percent();

  @Override
  void close() throws IOException;
}
