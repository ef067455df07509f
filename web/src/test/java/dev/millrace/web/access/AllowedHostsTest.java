package dev.millrace.web.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedHostsTest {

  private static final AllowedHosts USUAL = AllowedHosts.andAddresses(List.of("rig", "fe80::7"));
  private static final AllowedHosts NAMED =
      AllowedHosts.only(List.of("Mill.Example", "*.example.org", "10.0.0.7", "[2001:db8::7]"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.0.0.1:8080",
        "192.168.1.20:80",
        "255.255.255.255",
        "[::1]",
        "[::1]:8080",
        "[2001:DB8::1]:443",
        "[fe80::1%25eth0]:8080",
        "localhost",
        "LOCALHOST:8080",
        "localhost.",
        "tenant.localhost:1",
        "rig",
        "RIG.:8080"
      })
  void addresses_this_machine_and_its_own_names_are_allowed_unless_others_are_named(String host) {
    assertThat(USUAL.allows(host)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":8080",
        "example.com",
        "rig.example.com",
        "notlocalhost",
        "localhost.example.com",
        "127.0.0.1.example.com",
        "127.example.com",
        "1.2.3",
        "1.2.3.4.5",
        "256.1.1.1",
        "2130706433",
        "0x7f.0.0.1",
        "[::1",
        "::1.example.com",
        "[::1].example.com",
        "*"
      })
  void a_name_that_anybody_can_own_is_not_allowed(String host) {
    assertThat(USUAL.allows(host)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mill.example",
        "MILL.example.:8080",
        "a.example.org",
        "a.b.example.org:1",
        "10.0.0.7",
        "[2001:DB8::7]:8080",
        "localhost:8080",
        "127.0.0.1",
        "[::1]:8080"
      })
  void named_hosts_are_allowed_and_those_that_mean_this_machine(String host) {
    assertThat(NAMED.allows(host)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "example.org",
        "evilexample.org",
        ".example.org",
        "a.mill.example",
        "10.0.0.8",
        "[::2]",
        "rig"
      })
  void where_hosts_are_named_no_others_are_allowed(String host) {
    assertThat(NAMED.allows(host)).isFalse();
  }

  @Test
  void a_star_allows_any_host() {
    assertThat(AllowedHosts.only(List.of("*")).allows("whatever.example:1")).isTrue();
  }
}
