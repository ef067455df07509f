package dev.millrace.postgres.connection;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import javax.net.SocketFactory;
import jdk.net.ExtendedSocketOptions;

/**
 * Sockets that are prompt for whoever listens, and that notice a peer who vanished.
 *
 * <p>After a notification the driver looks whether there is one more, gives that look a
 * millisecond, and hands over none of them before a look was in vain. While others commit every
 * millisecond, nobody is woken. On these sockets such a look doesn't wait.
 *
 * <p>By itself the system asks a silent peer after two hours whether it is there.
 *
 * <p>Public, with a public constructor, because the driver makes it by its name.
 */
public final class PromptSockets extends SocketFactory {

  /** What the driver sets for that look, and for nothing else. */
  private static final int LOOK_MILLIS = 1;

  /** One connection. */
  private static final class Prompt extends Socket {
    private volatile boolean looking;

    @Override
    public synchronized void setSoTimeout(int millis) throws SocketException {
      looking = millis == LOOK_MILLIS;
      super.setSoTimeout(millis);
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
          if (looking && in.available() == 0) {
            throw new SocketTimeoutException("nothing has come yet");
          }
          return super.read(bytes, from, length);
        }
      };
    }
  }

  @Override
  public Socket createSocket() throws IOException {
    Socket socket = new Prompt();
    ask(socket, ExtendedSocketOptions.TCP_KEEPIDLE, WaitLimits.KEEPALIVE_IDLE_SECONDS);
    ask(socket, ExtendedSocketOptions.TCP_KEEPINTERVAL, WaitLimits.KEEPALIVE_INTERVAL_SECONDS);
    ask(socket, ExtendedSocketOptions.TCP_KEEPCOUNT, WaitLimits.KEEPALIVE_COUNT);
    return socket;
  }

  private static void ask(Socket socket, SocketOption<Integer> option, int value)
      throws IOException {
    if (socket.supportedOptions().contains(option)) {
      socket.setOption(option, value);
    }
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw new UnsupportedOperationException("the driver connects by itself");
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress from, int localPort) {
    return createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    return createSocket(host.getHostAddress(), port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress from, int localPort) {
    return createSocket(host, port);
  }
}
