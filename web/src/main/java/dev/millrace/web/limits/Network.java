package dev.millrace.web.limits;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * What counts as one client: an IPv4 address, or the /64 of an IPv6 address, because whoever has
 * one address of it has them all.
 */
record Network(String text) {

  private static final int PREFIX_BYTES = 8;

  static Network of(String address) {
    try {
      InetAddress parsed = InetAddress.ofLiteral(address);
      return new Network(
          parsed instanceof Inet6Address
              ? HexFormat.of().formatHex(Arrays.copyOf(parsed.getAddress(), PREFIX_BYTES))
              : parsed.getHostAddress());
    } catch (IllegalArgumentException e) {
      // Not an address, but still a name for one peer.
      return new Network(address);
    }
  }
}
