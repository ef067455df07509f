package dev.millrace.postgres.notify;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import javax.net.SocketFactory;

/**
 * Sockets for a connection that listens. After a notification the driver looks whether there is one
 * more, gives that look a millisecond, and hands over none of them before a look was in vain. While
 * others commit every millisecond, nobody is woken. On these sockets such a look doesn't wait.
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
  public Socket createSocket() {
    return new Prompt();
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
