package dev.millrace.storage;

import java.util.stream.Stream;

/** Keys that somebody might try. */
public final class Hostile {

  private static final String UUID = "0195a0a0-0000-7000-8000-000000000001";
  private static final String JOB = "tenants/acme/jobs/j1/";
  public static final String GOOD = JOB + "attempt-1/output-" + UUID + ".png";

  private Hostile() {}

  static Stream<String> keys() {
    return Stream.of(
        "",
        "/",
        ".",
        "..",
        "/etc/passwd",
        "/" + GOOD,
        "file:///etc/passwd",
        "../" + GOOD,
        "tenants/../tenants/acme/jobs/j1/attempt-1/output-" + UUID + ".png",
        "tenants/acme/jobs/../j1/attempt-1/output-" + UUID + ".png",
        JOB + "attempt-1/../attempt-1/output-" + UUID + ".png",
        JOB + "attempt-1/../../../../../etc/passwd",
        "tenants/./acme/jobs/j1/attempt-1/output-" + UUID + ".png",
        "tenants/../jobs/j1/attempt-1/output-" + UUID + ".png",
        "tenants/.acme/jobs/j1/attempt-1/output-" + UUID + ".png",
        "tenants//acme/jobs/j1/attempt-1/output-" + UUID + ".png",
        "tenants//jobs/j1/attempt-1/output-" + UUID + ".png",
        GOOD.replace("acme", "%2e%2e"),
        GOOD.replace("acme", "%2E%2E%2F"),
        GOOD.replace("acme", "..%2f"),
        GOOD.replace("acme", "%00"),
        GOOD.replace("acme", "a%63me"),
        GOOD.replace("/", "\\"),
        GOOD.replace("acme", "..\\.."),
        GOOD.replace("acme", "C:"),
        GOOD.replace("acme", "ac\0me"),
        GOOD + "\0",
        GOOD + "\0.png",
        GOOD + "\n",
        GOOD + "/",
        GOOD + ".",
        GOOD + " ",
        " " + GOOD,
        GOOD + "/x",
        GOOD + "?x",
        GOOD + "#x",
        GOOD.replace("acme", "acm\u00e9"),
        GOOD.replace("acme", "\uff0e\uff0e"),
        GOOD.replace("acme", "a\u2215b"),
        GOOD.replace("acme", "-acme"),
        GOOD.replace("acme", "a".repeat(65)),
        GOOD.replace("acme", "a".repeat(100_000)),
        GOOD.replace("attempt-1", "attempt-0"),
        GOOD.replace("attempt-1", "attempt-01"),
        GOOD.replace("attempt-1", "attempt--1"),
        GOOD.replace("attempt-1", "attempt-99999999999"),
        GOOD.replace(UUID, UUID.replace('a', 'A')),
        GOOD.replace(UUID, "poster"),
        GOOD.replace(".png", ""),
        GOOD.replace(".png", ".PNG"),
        GOOD.replace(".png", ".p.png"),
        GOOD.replace(".png", ".toolong"),
        GOOD.replace(".png", "-thumb.html"),
        GOOD.replace(".png", "-thumb-thumb.png"),
        "tenants/acme/uploads/" + UUID,
        "tenants/acme/uploads/../" + UUID + ".png",
        "tenants/acme/uploads/x/" + UUID + ".png",
        ".unfinished/" + UUID + ".part",
        "tenants/acme/jobs/",
        "tenants/",
        "tenants/acme/jobs/j1",
        "tenants/acme/jobs/../");
  }
}
