package dev.millrace.server.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What nobody should send. */
final class Garbage {

  /**
   * A value of a JSON body.
   *
   * @param json each character stands for one byte, so that it needn't be proper UTF-8
   * @param hopeless whether no field may take it, whatever its schema says
   */
  record Value(String json, boolean hopeless) {}

  /**
   * A value of a path or a query.
   *
   * @param raw as it is sent
   * @param decoded as it is meant; null if it means nothing, so that nobody may take it
   */
  record Parameter(String raw, @Nullable String decoded) {}

  /**
   * A line of a header.
   *
   * @param bytes each character stands for one byte
   */
  record Header(String bytes, boolean hopeless) {}

  static final String DEEP = "[".repeat(10_000) + "]".repeat(10_000);
  static final String DEEP_OBJECT = "{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000);
  static final String TEN_MEGABYTES = "\"" + "x".repeat(10_000_000) + "\"";
  static final String LONG = "\"" + "x".repeat(900_000) + "\"";
  static final String MANY = "[" + "1,".repeat(150_000) + "1]";

  static final List<Value> VALUES =
      List.of(
          hopeless("\"\\u0000\""),
          hopeless("\"a\\u0000b\""),
          hopeless("\"a\0b\""),
          hopeless("\"\\ud800\""),
          hopeless("\"\\udc00\\ud800\""),
          hopeless("\"\u00ed\u00a0\u0080\""),
          hopeless("\"\u00ff\u00fe\""),
          hopeless("\"\u00c0\u0080\""),
          hopeless("{\"\\u0000\":1}"),
          hopeless("[\"\\ud800\"]"),
          hopeless("NaN"),
          hopeless("-Infinity"),
          hopeless("Infinity"),
          hopeless("1e999999"),
          hopeless("-1e999999999"),
          hopeless("1e-999999999"),
          hopeless("0." + "1".repeat(200)),
          hopeless("9".repeat(200)),
          hopeless("01"),
          hopeless("0x1"),
          hopeless("+1"),
          hopeless("undefined"),
          hopeless("'x'"),
          hopeless(""),
          value("null"),
          value("true"),
          value("0"),
          value("-1"),
          value("-0.0"),
          value("1.5"),
          value("1e2"),
          value("2147483648"),
          value("9223372036854775807"),
          value("9223372036854775808"),
          value("-9223372036854775809"),
          value("1e300"),
          value("0.1000000000000000055511151231257827"),
          value("[]"),
          value("{}"),
          value("[[]]"),
          value("[null]"),
          value("{\"a\":{\"b\":[1]}}"),
          value("\"\""),
          value("\"   \""),
          value("\"\\u0007\\u001b[31m\""),
          value("\"\\u202e\\ufeff\\uffff\""),
          value("\"\\ud83e\\udd8a\""),
          value("\"-1\""),
          value("\"NaN\""),
          value("\"../../../etc/passwd\""),
          value("\"'; drop table job; --\""),
          value("\"2030-02-30T00:00:00Z\""),
          value("\"2030-01-01T00:00Z\""),
          value("\"2030-01-01 00:00:00Z\""),
          value("\"+999999999-12-31T23:59:59.999999999+18:00\""),
          value("\"-999999999-01-01T00:00:00Z\""),
          value("\"00000000-0000-0000-0000-000000000000\""),
          value("\"0-0-0-0-0\""),
          value("\"" + "x".repeat(5_000) + "\""));

  static final List<String> NAMES =
      List.of(
          "unknown_field",
          "",
          "\\u0000",
          "\\ud800",
          "__proto__",
          "a/b~c",
          "x".repeat(250),
          "x".repeat(10_000),
          "\u00ff");

  static final List<Parameter> PARAMETERS =
      List.of(
          new Parameter("%00", null),
          new Parameter("a%00b", null),
          new Parameter("%ed%a0%80", null),
          new Parameter("%ff", null),
          new Parameter("%c0%80", null),
          meant("NaN"),
          meant("Infinity"),
          meant("-1"),
          meant("0"),
          meant("1.5"),
          meant("1e5"),
          meant("1e999999"),
          meant("2147483648"),
          meant("9223372036854775807"),
          meant("9223372036854775808"),
          meant("-9223372036854775809"),
          meant("9".repeat(400)),
          meant("true"),
          meant("null"),
          meant("undefined"),
          meant("0-0-0-0-0"),
          meant("00000000-0000-0000-0000-000000000000"),
          meant("------------------------------------"),
          new Parameter("%20%20", "  "),
          new Parameter("%07", "\u0007"),
          new Parameter("%e2%80%ae", "\u202e"),
          new Parameter("%2e%2e%2f%2e%2e%2fetc%2fpasswd", "../../etc/passwd"),
          new Parameter("%27%3b%20drop%20table%20job%3b--", "'; drop table job;--"),
          new Parameter("%d9%a1%d9%a2", "\u0661\u0662"),
          new Parameter("%F0%9F%A6%8A", "\uD83E\uDD8A"),
          meant("x".repeat(5_000)),
          meant("x".repeat(20_000)));

  /** No proper client sends these, so they go out by hand. */
  static final List<String> BROKEN_PARAMETERS =
      List.of("%zz", "%", "%f", "a\u0080", "a\u00ff", "a\0b", "a\u0001b");

  static final List<Header> HEADERS =
      List.of(
          new Header("", true),
          new Header("   ", true),
          new Header("x".repeat(201), true),
          new Header("x".repeat(100_000), true),
          new Header("a\0b", true),
          new Header("one\r\nIdempotency-Key: two", true),
          new Header("a\u0001b", false),
          new Header("a\u00ff", false),
          new Header("\u00ed\u00a0\u0080", false),
          new Header("9223372036854775808", false),
          new Header("'; drop table job; --", false));

  private Garbage() {}

  private static Value hopeless(String json) {
    return new Value(json, true);
  }

  private static Value value(String json) {
    return new Value(json, false);
  }

  private static Parameter meant(String plain) {
    return new Parameter(plain, plain);
  }
}
