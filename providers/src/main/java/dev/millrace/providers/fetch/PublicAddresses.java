package dev.millrace.providers.fetch;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Tells the public internet from everything else, by IANA's registries of special addresses.
 *
 * <p>For IPv4, what is special is listed. For IPv6, what is public is: 2000::/3 without its special
 * parts, and NAT64 of a public IPv4 address. So every other form that carries an IPv4 address
 * (mapped, compatible, translated, 6to4, Teredo) is refused as a whole.
 */
final class PublicAddresses {

  private static final List<Cidr> SPECIAL_V4 =
      ranges(
          "0.0.0.0/8", // this network
          "10.0.0.0/8", // private
          "100.64.0.0/10", // carrier-grade NAT, and some clouds' metadata
          "127.0.0.0/8", // loopback
          "168.63.129.16", // Azure's wire server
          "169.254.0.0/16", // link-local, and most clouds' metadata
          "172.16.0.0/12", // private
          "192.0.0.0/24", // protocol assignments
          "192.0.2.0/24", // documentation
          "192.31.196.0/24", // AS112
          "192.52.193.0/24", // AMT
          "192.88.99.0/24", // 6to4 relays
          "192.168.0.0/16", // private
          "192.175.48.0/24", // AS112
          "198.18.0.0/15", // benchmarks
          "198.51.100.0/24", // documentation
          "203.0.113.0/24", // documentation
          "224.0.0.0/4", // multicast
          "240.0.0.0/4"); // reserved, and broadcast

  private static final Cidr GLOBAL_V6 = Cidr.of("2000::/3");

  private static final List<Cidr> SPECIAL_V6 =
      ranges(
          "2001::/23", // protocol assignments: Teredo, benchmarks, ORCHID
          "2001:db8::/32", // documentation
          "2002::/16", // 6to4
          "2620:4f:8000::/48", // AS112
          "3fff::/20"); // documentation

  private static final Cidr NAT64 = Cidr.of("64:ff9b::/96");
  private static final int V4_BYTES = 4;
  private static final int V6_BYTES = 16;
  private static final int ISATAP_AT = 8;

  private PublicAddresses() {}

  /** Whether an address is on the public internet, and isn't our own. */
  static boolean contain(InetAddress address) {
    return isGlobal(address.getAddress()) && !isOurs(address);
  }

  static boolean isGlobal(byte[] address) {
    if (address.length == V4_BYTES) {
      return none(SPECIAL_V4, address);
    }
    byte[] embedded = Arrays.copyOfRange(address, V6_BYTES - V4_BYTES, V6_BYTES);
    if (NAT64.contains(address)) {
      return isGlobal(embedded);
    }
    return GLOBAL_V6.contains(address)
        && none(SPECIAL_V6, address)
        && (!isIsatap(address) || isGlobal(embedded));
  }

  /** An address of an ISATAP tunnel ends in 0:5efe or 200:5efe and an IPv4 address. */
  private static boolean isIsatap(byte[] address) {
    return (address[ISATAP_AT] == 0 || address[ISATAP_AT] == 2)
        && address[ISATAP_AT + 1] == 0
        && address[ISATAP_AT + 2] == 0x5e
        && address[ISATAP_AT + 3] == (byte) 0xfe;
  }

  /** What listens on all of this machine's addresses may trust whoever comes from itself. */
  private static boolean isOurs(InetAddress address) {
    try {
      return NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return false;
    }
  }

  private static boolean none(List<Cidr> ranges, byte[] address) {
    return ranges.stream().noneMatch(range -> range.contains(address));
  }

  private static List<Cidr> ranges(String... texts) {
    return Stream.of(texts).map(Cidr::of).toList();
  }
}
