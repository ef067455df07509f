package dev.millrace.providers.fetch;

import java.net.InetAddress;
import java.util.Arrays;

/** A range of addresses, such as {@code 10.0.0.0/8}. */
final class Cidr {

  private final byte[] network;
  private final int bits;

  private Cidr(byte[] network, int bits) {
    this.network = network;
    this.bits = bits;
  }

  /**
   * Reads a range, or an address, which is a range of one.
   *
   * @throws IllegalArgumentException if it is neither, or has bits after its prefix
   */
  static Cidr of(String text) {
    if (text.indexOf('%') >= 0) {
      throw new IllegalArgumentException("an address with a zone is on one machine only");
    }
    int slash = text.indexOf('/');
    byte[] network =
        InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash)).getAddress();
    int most = network.length * Byte.SIZE;
    int bits = slash < 0 ? most : Integer.parseInt(text.substring(slash + 1));
    if (bits < 0 || bits > most) {
      throw new IllegalArgumentException("a prefix has 0 to " + most + " bits");
    }
    Cidr cidr = new Cidr(network, bits);
    for (int bit = bits; bit < most; bit++) {
      if (isSet(network, bit)) {
        throw new IllegalArgumentException("an address with bits after its prefix");
      }
    }
    return cidr;
  }

  boolean contains(byte[] address) {
    if (address.length != network.length) {
      return false;
    }
    int whole = bits / Byte.SIZE;
    if (!Arrays.equals(address, 0, whole, network, 0, whole)) {
      return false;
    }
    for (int bit = whole * Byte.SIZE; bit < bits; bit++) {
      if (isSet(address, bit) != isSet(network, bit)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSet(byte[] address, int bit) {
    return (address[bit / Byte.SIZE] & (0x80 >> (bit % Byte.SIZE))) != 0;
  }
}
