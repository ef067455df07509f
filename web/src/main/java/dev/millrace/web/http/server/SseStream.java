package dev.millrace.web.http.server;

import dev.millrace.web.http.ClientGoneException;
import dev.millrace.web.http.SseFrame;
import dev.millrace.web.http.SseSink;
import dev.millrace.web.http.Watchdog;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One open stream. */
final class SseStream implements SseSink {
  private final OutputStream out;
  private final Watchdog watchdog;
  private final ReentrantLock writing = new ReentrantLock();
  private final List<Runnable> wakers = new ArrayList<>();
  private volatile boolean closing;
  private volatile boolean gone;

  /** The watchdog's time is for one write, so that a client that stops reading is let go. */
  SseStream(OutputStream out, Watchdog watchdog) {
    this.out = out;
    this.watchdog = watchdog;
  }

  @Override
  public void event(@Nullable String id, @Nullable String name, String data) {
    write(SseFrame.event(id, name, data));
  }

  @Override
  public void comment(String text) {
    write(SseFrame.comment(text));
  }

  @Override
  public void retry(long milliseconds) {
    write(SseFrame.retry(milliseconds));
  }

  @Override
  public boolean closing() {
    return closing;
  }

  @Override
  public void onClose(Runnable action) {
    synchronized (wakers) {
      if (!closing) {
        wakers.add(action);
        return;
      }
    }
    action.run();
  }

  /** Called once by the server that shuts down. */
  void close() {
    List<Runnable> due;
    synchronized (wakers) {
      closing = true;
      due = List.copyOf(wakers);
      wakers.clear();
    }
    due.forEach(Runnable::run);
  }

  /** Tells the client that the stream is complete. */
  void end() {
    guarded(out::close);
  }

  /** True if a write has failed, whatever the source made of it. */
  boolean gone() {
    return gone;
  }

  private void write(String frame) {
    byte[] bytes = frame.getBytes(StandardCharsets.UTF_8);
    guarded(() -> {
      out.write(bytes);
      out.flush();
    });
  }

  private interface Writing {
    void run() throws IOException;
  }

  private void guarded(Writing what) {
    writing.lock();
    try (var _ = watchdog.guard()) {
      if (gone) {
        throw new ClientGoneException(new IOException("An earlier write failed"));
      }
      what.run();
    } catch (IOException | RuntimeException e) {
      gone = true;
      throw new ClientGoneException(e);
    } finally {
      writing.unlock();
    }
  }
}
