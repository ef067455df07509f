package dev.millrace.providers.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A robots.txt means what RFC 9309 says. */
class RobotsRulesTest {

  @Test
  void the_longest_rule_counts_and_a_tie_allows() {
    RobotsRules rules =
        rules(
            """
            User-agent: *
            Disallow: /shop
            Allow: /shop/public
            Disallow: /same
            Allow: /same
            Disallow: /shop/public/not
            """);

    assertThat(rules.allow("/")).isTrue();
    assertThat(rules.allow("/shop/x")).isFalse();
    assertThat(rules.allow("/shopping")).isFalse();
    assertThat(rules.allow("/shop/public/a")).isTrue();
    assertThat(rules.allow("/shop/public/not/a")).isFalse();
    assertThat(rules.allow("/same")).isTrue();
  }

  @Test
  void stars_and_ends_are_understood() {
    RobotsRules rules =
        rules(
            """
            User-agent: *
            Disallow: /*.pdf$
            Disallow: /a*b*c
            Disallow: /exact$
            Disallow: /x*x$
            """);

    assertThat(rules.allow("/docs/a.pdf")).isFalse();
    assertThat(rules.allow("/docs/a.pdf?x=1")).isTrue();
    assertThat(rules.allow("/a.pdf.pdf")).isFalse();
    assertThat(rules.allow("/a-b-c-d")).isFalse();
    assertThat(rules.allow("/a-c-b")).isTrue();
    assertThat(rules.allow("/exact")).isFalse();
    assertThat(rules.allow("/exactly")).isTrue();
    assertThat(rules.allow("/x")).isTrue();
    assertThat(rules.allow("/xx")).isFalse();
  }

  @Test
  void our_own_groups_replace_those_for_everybody_and_are_merged() {
    RobotsRules rules =
        rules(
            """
            User-agent: *
            Disallow: /

            User-agent: OtherBot
            User-agent: MillRace/1.0 (something)
            Disallow: /one

            Sitemap: https://shop.example.com/sitemap.xml

            User-agent: millrace
            Disallow: /two
            """);

    assertThat(rules.allow("/")).isTrue();
    assertThat(rules.allow("/one")).isFalse();
    assertThat(rules.allow("/two")).isFalse();
  }

  @Test
  void another_robots_group_is_not_ours() {
    assertThat(rules("User-agent: millracer\nDisallow: /").allow("/")).isTrue();
    assertThat(rules("Disallow: /").allow("/")).isTrue();
    assertThat(rules("User-agent: *\nDisallow:").allow("/")).isTrue();
    assertThat(rules("").allow("/")).isTrue();
    assertThat(rules("\0\0\ufffd<html>not: robots").allow("/")).isTrue();
  }

  @Test
  void one_path_has_one_spelling() {
    RobotsRules rules =
        rules("\ufeffuser-AGENT : *  # all\r\nDISALLOW: /caf\u00e9/%7Eada # hidden\r\n");

    assertThat(rules.allow("/caf%C3%A9/~ada")).isFalse();
    assertThat(rules.allow("/caf%c3%a9/%7eada")).isFalse();
    assertThat(rules.allow("/caf")).isTrue();
  }

  @ParameterizedTest
  @MethodSource("hostileFiles")
  @Timeout(60)
  void a_hostile_file_costs_little_time(String text) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    assertThat(rules("User-agent: *\n" + text).allow("/" + "a".repeat(4_000))).isTrue();
    assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - start))
        .isLessThan(Duration.ofSeconds(3));
  }

  static Stream<String> hostileFiles() {
    return Stream.of(
        ("Disallow: /" + "*a".repeat(450) + "*b\n").repeat(500),
        ("Disallow: /*" + "a".repeat(900) + "b\n").repeat(500),
        "Disallow: /b\n".repeat(38_000),
        "<html>\n" + "<".repeat(480_000),
        "Disallow" + " ".repeat(480_000) + "x",
        "Disallow: /" + "*".repeat(480_000) + "x");
  }

  private static RobotsRules rules(String text) {
    return RobotsRules.read(text, "millrace");
  }
}
