package dev.millrace.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** How this machine calls itself, and so those who are near it. */
final class MachineName {

  private static final Path LINUX = Path.of("/proc/sys/kernel/hostname");

  private MachineName() {}

  /** The name, the same without its domain, and the one that is found without a name server. */
  static List<String> all() {
    String name = name().toLowerCase(Locale.ROOT);
    String first = name.replaceFirst("\\..*", "");
    return Stream.of(name, first, first.isEmpty() ? "" : first + ".local").distinct().toList();
  }

  /** Linux tells it without asking a name server, which could let us wait. */
  private static String name() {
    try {
      return Files.readString(LINUX).strip();
    } catch (IOException _) {
      return Optional.ofNullable(System.getenv("COMPUTERNAME")).orElseGet(MachineName::asked);
    }
  }

  private static String asked() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException _) {
      return "";
    }
  }
}
