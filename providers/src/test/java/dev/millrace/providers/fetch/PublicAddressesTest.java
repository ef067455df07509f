package dev.millrace.providers.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The border of the public internet is where IANA draws it. */
class PublicAddressesTest {

  @Test
  void public_addresses_are_public() {
    for (String address :
        List.of(
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.1",
            "169.253.255.255",
            "172.15.255.255",
            "172.32.0.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700::1111",
            "2a00:1450:4001::200e",
            "2400::1",
            "64:ff9b::8.8.8.8",
            "::ffff:8.8.8.8")) {
      assertThat(PublicAddresses.contain(InetAddress.ofLiteral(address))).as(address).isTrue();
    }
  }

  @Test
  void everything_else_is_not() {
    for (String address : HostileUrls.V4) {
      assertThat(PublicAddresses.contain(InetAddress.ofLiteral(address))).as(address).isFalse();
    }
    for (String address : HostileUrls.V6) {
      assertThat(PublicAddresses.contain(InetAddress.ofLiteral(address))).as(address).isFalse();
    }
  }
}
