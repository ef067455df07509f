package dev.millrace.testkit.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An address behind which a test puts one server after the other. It can swallow what passes, as a
 * network does that lost its way: both ends stay connected and hear nothing.
 */
public final class TcpSwitch implements AutoCloseable {

  private final ServerSocket door;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Set<Socket> swallowed = ConcurrentHashMap.newKeySet();
  private volatile int target;
  private volatile boolean swallowing;

  public TcpSwitch(int target) {
    this.target = target;
    try {
      this.door = KeptPort.listen();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofPlatform().daemon().name("tcp-switch").start(this::accept);
  }

  public int port() {
    return door.getLocalPort();
  }

  /** New connections go there; those that are open stay where they are. */
  public void turnTo(int port) {
    target = port;
  }

  /** From now on nothing passes on the connections that are open; new ones are fine. */
  public void swallow() {
    swallowed.addAll(open);
  }

  /** From now on nothing passes on any connection, open or new. */
  public void swallowEverything() {
    swallowing = true;
  }

  public void cutAll() {
    open.forEach(TcpSwitch::closeQuietly);
  }

  private void accept() {
    while (!door.isClosed()) {
      try {
        Socket client = door.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        open.add(client);
        open.add(server);
        carry(client, server);
        carry(server, client);
      } catch (IOException _) {
        // Nobody is there; whoever came is cut off.
      }
    }
  }

  private void carry(Socket from, Socket to) {
    Thread.ofVirtual()
        .start(() -> {
          byte[] bytes = new byte[8192];
          try (from;
              to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
              if (!swallowing && !swallowed.contains(from)) {
                out.write(bytes, 0, read);
                out.flush();
              }
            }
          } catch (IOException _) {
            // One end is gone, so the other one goes too.
          } finally {
            open.remove(from);
            swallowed.remove(from);
          }
        });
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // It is gone either way.
    }
  }

  @Override
  public void close() {
    try {
      door.close();
    } catch (IOException _) {
      // It is gone either way.
    }
    cutAll();
  }
}
