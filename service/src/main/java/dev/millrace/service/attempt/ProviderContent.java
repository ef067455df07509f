package dev.millrace.service.attempt;

import dev.millrace.spi.provider.Elsewhere;
import dev.millrace.spi.provider.Output;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Tells a provider that breaks down while it writes an output from a store that does not take it.
 * The first has to answer for itself; the second says nothing about the provider.
 */
record ProviderContent(Output.Content content) implements Output.Content {

  /** The provider's own code broke down. */
  @SuppressWarnings("serial")
  static final class Broken extends RuntimeException {
    private Broken(Throwable cause) {
      super("the provider broke down while it wrote an output", cause);
    }
  }

  /** The same output, whose content is guarded unless it has to be fetched. */
  static Output guarding(Output output) {
    return output.content() instanceof Elsewhere
        ? output
        : new Output(output.name(), output.mediaType(), new ProviderContent(output.content()));
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    Sink sink = new Sink(out);
    try {
      content.writeTo(sink);
    } catch (IOException | RuntimeException | Error e) {
      sink.rethrow();
      if (e instanceof IOException unreadable) {
        throw unreadable;
      }
      throw new Broken(e);
    }
  }

  /** Remembers how the store failed, however the provider disguises it. */
  private static final class Sink extends OutputStream {
    private final OutputStream out;
    private @Nullable RuntimeException trouble;

    private Sink(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      try {
        out.write(bytes, from, length);
      } catch (RuntimeException e) {
        trouble = e;
        throw e;
      }
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }

    @Override
    public void close() throws IOException {
      out.close();
    }

    private void rethrow() {
      if (trouble != null) {
        throw trouble;
      }
    }
  }
}
