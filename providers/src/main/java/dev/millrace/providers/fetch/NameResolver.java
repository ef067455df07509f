package dev.millrace.providers.fetch;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Finds the addresses of a name. */
@FunctionalInterface
public interface NameResolver {

  /**
   * All addresses of a name.
   *
   * @param name in ASCII and lower case, never an address
   */
  List<InetAddress> resolve(String name) throws UnknownHostException;

  /** Asks the operating system. */
  static NameResolver system() {
    return name -> List.of(InetAddress.getAllByName(name));
  }
}
