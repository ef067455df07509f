package dev.millrace.testkit.net;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Serves one handler, a virtual thread per connection. */
public final class SmallServer implements AutoCloseable {

  /** Answers a request. */
  @FunctionalInterface
  public interface Handler {
    Reply answer(Request request) throws IOException, InterruptedException;
  }

  private final Handler handler;
  private final int port;
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private @Nullable ServerSocket listener;
  private Thread accepting;
  private CountDownLatch silence = new CountDownLatch(1);

  private SmallServer(Handler handler) throws IOException {
    this.handler = handler;
    ServerSocket first = KeptPort.listen();
    port = first.getLocalPort();
    accepting = serve(first);
  }

  public static SmallServer start(Handler handler) {
    try {
      return new SmallServer(handler);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Dies as a killed process does: nothing more is accepted and every connection is cut. */
  public synchronized void stop() {
    try {
      if (listener != null) {
        listener.close();
        // The system lets go of the port only when nobody waits for a connection on it any more.
        accepting.join();
      }
      listener = null;
      silence.countDown();
      for (Socket socket : connections) {
        socket.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Comes back on the same port. */
  public synchronized void startAgain() {
    try {
      silence = new CountDownLatch(1);
      accepting = serve(reopen(port));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    stop();
  }

  /** Somebody else may try for a moment whether the port is free. */
  private static ServerSocket reopen(int port) throws IOException {
    long until = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (true) {
      try {
        return open(port);
      } catch (BindException e) {
        if (System.nanoTime() - until >= 0) {
          throw e;
        }
        LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
      }
    }
  }

  private static ServerSocket open(int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return socket;
  }

  private Thread serve(ServerSocket socket) {
    listener = socket;
    CountDownLatch quiet = silence;
    return Thread.ofVirtual()
        .start(() -> {
          try {
            while (true) {
              Socket connection = socket.accept();
              connections.add(connection);
              if (socket.isClosed()) {
                // It came in while the server stopped, too late for being cut with the others.
                connection.close();
              }
              Thread.ofVirtual().start(() -> converse(connection, quiet));
            }
          } catch (IOException _) {
            // Stopped.
          }
        });
  }

  private void converse(Socket socket, CountDownLatch quiet) {
    try (socket;
        InputStream in = new BufferedInputStream(socket.getInputStream());
        OutputStream out = new BufferedOutputStream(socket.getOutputStream())) {
      while (true) {
        Request request = read(in);
        switch (handler.answer(request)) {
          case Reply.Full full -> write(out, full, request.method());
          case Reply.Cut _ -> {
            return;
          }
          case Reply.Silence _ -> {
            quiet.await();
            return;
          }
          case Reply.Upgrade upgrade -> {
            Sockets.serve(request, in, out, upgrade.handler());
            return;
          }
        }
      }
    } catch (IOException _) {
      // The other side has gone.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      connections.remove(socket);
    }
  }

  private static Request read(InputStream in) throws IOException {
    String[] first = line(in).split(" ", 3);
    if (first.length < 3) {
      throw new EOFException("no request");
    }
    Map<String, String> headers = new LinkedHashMap<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    byte[] body =
        headers.getOrDefault("transfer-encoding", "").equals("chunked")
            ? chunks(in)
            : in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
    return new Request(first[0], first[1], headers, Request.Body.of(body));
  }

  private static byte[] chunks(InputStream in) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      int size = Integer.parseInt(line(in).strip(), 16);
      body.write(in.readNBytes(size));
      line(in);
      if (size == 0) {
        return body.toByteArray();
      }
    }
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the end");
      }
      line.write(b);
    }
    return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
  }

  private static void write(OutputStream out, Reply.Full reply, String method) throws IOException {
    StringBuilder head = new StringBuilder("HTTP/1.1 " + reply.status() + " Whatever\r\n");
    reply.headers().forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    byte[] body = reply.body().bytes();
    if (reply.status() != 204) {
      head.append("Content-Length: " + body.length + "\r\n");
    }
    out.write((head + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    if (!method.equals("HEAD")) {
      out.write(body);
    }
    out.flush();
  }
}
