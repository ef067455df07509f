package dev.millrace.postgres.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * What the machine offers, as far as a test may want it otherwise.
 *
 * @param caches where unpacked binaries may be kept for all data directories of this user, best
 *     first
 * @param userNamespaces whether {@code unshare -U} may be tried
 * @param freePort a port that nobody listens on right now
 */
record Host(List<Path> caches, boolean userNamespaces, IntSupplier freePort) {
  static Host real() {
    var caches = new ArrayList<Path>();
    String xdg = System.getenv("XDG_CACHE_HOME");
    if (xdg != null && Path.of(xdg).isAbsolute()) {
      caches.add(Path.of(xdg, "millrace"));
    }
    // The home directory of the account, not $HOME, which sudo may leave pointing at another
    // user's.
    Path home = Path.of(System.getProperty("user.home"));
    if (home.isAbsolute()) {
      caches.add(home.resolve(".cache").resolve("millrace"));
    }
    return new Host(List.copyOf(caches), true, Host::anyFreePort);
  }

  private static int anyFreePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
