package dev.millrace.providers.fetch;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Every way we know to write an address that nobody outside may reach. */
final class HostileUrls {

  /** A name that every filter which only looks at the text would let pass. */
  static final String GOOD_NAME = "shop.example.com";

  static final List<String> V4 =
      List.of(
          "127.0.0.1",
          "127.255.255.254",
          "0.0.0.0",
          "10.0.0.1",
          "10.255.255.255",
          "100.64.0.1",
          "100.100.100.200",
          "100.127.255.254",
          "168.63.129.16",
          "169.254.169.254",
          "172.16.0.1",
          "172.31.255.254",
          "192.0.0.192",
          "192.0.2.1",
          "192.88.99.1",
          "192.168.0.1",
          "192.168.255.255",
          "198.18.0.1",
          "198.19.255.255",
          "198.51.100.7",
          "203.0.113.9",
          "224.0.0.1",
          "239.255.255.250",
          "240.0.0.1",
          "255.255.255.255");

  static final List<String> V6 =
      List.of(
          "::1",
          "::",
          "fe80::1",
          "febf::1",
          "fec0::1",
          "fc00::1",
          "fd00:ec2::254",
          "ff02::1",
          "ff0e::1",
          "100::1",
          "2001:db8::1",
          "3fff::1",
          "5f00::1",
          "2001::1",
          "2001:2::1",
          "2001:10::1",
          "2001:20::1",
          "64:ff9b:1::1",
          "64:ff9b::7f00:1",
          "2002:7f00:1::",
          "2a00:1450::5efe:7f00:1",
          "4000::1");

  private final int port;
  private final Set<String> urls = new LinkedHashSet<>();
  private final Map<String, InetAddress> names = new LinkedHashMap<>();

  private HostileUrls(int port) {
    this.port = port;
  }

  /** All of them, for a port. */
  static HostileUrls of(int port) {
    HostileUrls all = new HostileUrls(port);
    V4.forEach(all::v4);
    V6.forEach(all::v6);
    return all;
  }

  List<String> urls() {
    return List.copyOf(urls);
  }

  /** The names among them that look harmless, and what they resolve to. */
  Map<String, InetAddress> names() {
    return names;
  }

  private void v4(String address) {
    byte[] bytes = InetAddress.ofLiteral(address).getAddress();
    int[] part = IntStream.range(0, 4).map(i -> bytes[i] & 0xff).toArray();
    numbers(part);
    disguises(address, part);
    inV6(address, part);
    tricks(address);
    named(address);
  }

  private void numbers(int[] part) {
    long whole = whole(part);
    long low = whole & 0xffffff;
    host("%d".formatted(whole));
    host("%d.".formatted(whole));
    host("0%o".formatted(whole));
    host("0x%x".formatted(whole));
    host("0X%08X".formatted(whole));
    host("%d".formatted(whole + (1L << 32)));
    host("%d.%d".formatted(part[0], low));
    host("%d.%d.%d".formatted(part[0], part[1], low & 0xffff));
    host("0x%x.%d".formatted(part[0], low));
    host("%d.%d.%d.%d".formatted(part[0], part[1], part[2], part[3]));
    host("%d.%d.%d.%d.".formatted(part[0], part[1], part[2], part[3]));
    host("%d.%d.%d.%d..".formatted(part[0], part[1], part[2], part[3]));
    host("0%o.0%o.0%o.0%o".formatted(part[0], part[1], part[2], part[3]));
    host("00000%o.0%o.0%o.0%o".formatted(part[0], part[1], part[2], part[3]));
    host("0x%x.0x%x.0x%x.0x%x".formatted(part[0], part[1], part[2], part[3]));
    host("%03d.%03d.%03d.%03d".formatted(part[0], part[1], part[2], part[3]));
    host("0x%x.0%o.%d.%d".formatted(part[0], part[1], part[2], part[3]));
    host("%d.%d.%d.%d".formatted(part[0] + 256, part[1], part[2], part[3]));
    host("%d.%d.%d.%d.0x".formatted(part[0], part[1], part[2], part[3]));
  }

  private void disguises(String address, int[] part) {
    host(shifted(address, '\uff10'));
    host(shifted(address, '\u0660'));
    host(shifted(address, '\u0966'));
    host(wide(address, 0x1d7ce));
    host(address.replace('.', '\u3002'));
    host(address.replace('.', '\uff0e'));
    host(address.replace('.', '\uff61'));
    host(shifted(Long.toString(whole(part)), '\uff10'));
    host(address.replace("1", "\u2460").replace("2", "\u2461"));
    host(address + "\u00ad");
    host(address.replace(".", ".\u200b"));
    host(address.chars().mapToObj("%%%02x"::formatted).collect(Collectors.joining()));
    host(address.replace(".", "%2e"));
    host("%s%%00".formatted(address));
    host("%s%%09".formatted(address));
  }

  private void inV6(String address, int[] part) {
    String hex =
        "%02x%02x:%02x%02x"
            .formatted((Object[]) IntStream.of(part).boxed().toArray(Integer[]::new));
    host("[::ffff:%s]".formatted(address));
    host("[::ffff:%s]".formatted(hex));
    host("[::FFFF:%s]".formatted(hex));
    host("[0:0:0:0:0:ffff:%s]".formatted(address));
    host("[0000:0000:0000:0000:0000:ffff:%s]".formatted(hex));
    host("[::%s]".formatted(address));
    host("[::ffff:0:%s]".formatted(address));
    host("[2002:%s::1]".formatted(hex));
    host("[2001:0:%s::1]".formatted(hex));
    host("[64:ff9b::%s]".formatted(address));
    host("[64:ff9b:1::%s]".formatted(address));
    host("[2a00:1450::200:5efe:%s]".formatted(address));
    host("[::ffff:%s%%25lo]".formatted(address));
    host("[%s]".formatted(address));
  }

  private void tricks(String address) {
    String at = address + ":" + port;
    raw("http://" + GOOD_NAME + "@" + at + "/");
    raw("http://" + GOOD_NAME + ":80@" + at + "/");
    raw("http://" + GOOD_NAME + "%40" + at + "/");
    raw("http://" + at + "@" + GOOD_NAME + "/");
    raw("http://" + at + "\\@" + GOOD_NAME + "/");
    raw("http://" + GOOD_NAME + "\\@" + at + "/");
    raw("http://@" + at + "/");
    raw("http://" + at + "#." + GOOD_NAME + "/");
    raw("http://" + at + "?." + GOOD_NAME + "/");
    raw("http://" + at + ";." + GOOD_NAME + "/");
    raw("http:\\\\" + at + "\\");
    raw("http:/\\" + at + "/");
    raw("http:/" + at + "/");
    raw("http:" + at + "/");
    raw("http:///" + at + "/");
    raw("//" + at + "/");
    raw("HTTP://" + at + "/");
    raw("ht\ttp://" + at + "/");
    raw("http://" + address + "\t:" + port + "/");
    raw("http://" + address + "\n:" + port + "/");
    raw(" http://" + at + "/");
    raw("http://" + at + " /");
    raw("http://" + at + "\r\nHost: " + GOOD_NAME + "/");
    raw("http://" + address + ":" + port + ":80/");
    raw("http://" + address + ":" + shifted(Integer.toString(port), '\uff10') + "/");
    raw("ftp://" + at + "/");
    raw("gopher://" + at + "/_GET");
    raw("file://" + address + "/etc/passwd");
    raw("jar:http://" + at + "!/");
    raw("view-source:http://" + at + "/");
  }

  private void v6(String address) {
    byte[] bytes = InetAddress.ofLiteral(address).getAddress();
    String full =
        IntStream.range(0, 8)
            .mapToObj(i -> "%02x%02x".formatted(bytes[2 * i], bytes[2 * i + 1]))
            .collect(Collectors.joining(":"));
    host("[%s]".formatted(address));
    host("[%s]".formatted(full));
    host("[%s]".formatted(full.toUpperCase(Locale.ROOT)));
    host("[%s%%25eth0]".formatted(address));
    host("[%s%%lo]".formatted(address));
    host("[%s%%1]".formatted(address));
    host(address);
    named(address);
  }

  /** A name of the attacker's own, which resolves to the address. */
  private void named(String address) {
    String label = address.replace('.', '-').replace(':', '-').replaceAll("^-+|-+$", "");
    String name = "a" + label + ".attacker.example.net";
    names.put(name, InetAddress.ofLiteral(address));
    host(name);
    host("%s.".formatted(name));
    host(name.toUpperCase(Locale.ROOT));
  }

  private void host(String host) {
    raw("http://" + host + ":" + port + "/");
  }

  private void raw(String url) {
    urls.add(url);
  }

  private static long whole(int[] part) {
    return ((long) part[0] << 24) | (part[1] << 16) | (part[2] << 8) | part[3];
  }

  /** The same digits of another script. */
  private static String shifted(String text, char zero) {
    return text.chars()
        .mapToObj(c -> c >= '0' && c <= '9' ? Character.toString(zero + c - '0') : "" + (char) c)
        .collect(Collectors.joining());
  }

  private static String wide(String text, int zero) {
    return text.chars()
        .mapToObj(c -> Character.toString(c >= '0' && c <= '9' ? zero + c - '0' : c))
        .collect(Collectors.joining());
  }
}
