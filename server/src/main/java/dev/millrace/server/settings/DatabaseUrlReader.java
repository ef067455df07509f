package dev.millrace.server.settings;

import dev.millrace.server.settings.Kind.Refused;
import dev.millrace.service.access.Secret;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads both spellings of a PostgreSQL URL. The driver knows no credentials before the host and
 * none of libpq's parameter names, and it would ignore the latter in silence, so they are
 * translated here.
 *
 * <p>It is strict on purpose: a password with an unescaped {@code /}, {@code ?} or {@code #} would
 * otherwise spill into the parts of the URL that reports show.
 */
final class DatabaseUrlReader {

  private static final String JDBC = "jdbc:postgresql://";
  private static final List<String> LIBPQ = List.of("postgres://", "postgresql://");

  private static final Pattern HOST =
      Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._~%+-]+");
  private static final Pattern PARAMETER = Pattern.compile("([A-Za-z_]+)=(.*)");

  private static final Map<String, String> DRIVER_NAMES =
      Map.of(
          "application_name", "ApplicationName",
          "connect_timeout", "connectTimeout",
          "channel_binding", "channelBinding",
          "target_session_attrs", "targetServerType");
  private static final Map<String, String> SERVER_TYPES =
      Map.of("read-write", "primary", "prefer-standby", "preferSecondary", "standby", "secondary");

  /** Everything else is masked, because a misspelt {@code password} is a secret too. */
  private static final Set<String> SHOWN =
      Set.of(
          "ApplicationName",
          "channelBinding",
          "connectTimeout",
          "currentSchema",
          "loadBalanceHosts",
          "socketTimeout",
          "sslmode",
          "targetServerType");

  private final boolean libpq;
  private final Map<String, String> parameters = new LinkedHashMap<>();
  private @Nullable String user;
  private @Nullable String password;

  private DatabaseUrlReader(boolean libpq) {
    this.libpq = libpq;
  }

  static DatabaseUrl read(String text) {
    if (text.startsWith(JDBC)) {
      return new DatabaseUrlReader(false).readAfterScheme(text.substring(JDBC.length()));
    }
    for (String scheme : LIBPQ) {
      if (text.startsWith(scheme)) {
        return new DatabaseUrlReader(true).readAfterScheme(text.substring(scheme.length()));
      }
    }
    throw new Refused("it starts with neither postgres:// nor jdbc:postgresql://");
  }

  private DatabaseUrl readAfterScheme(String rest) {
    int question = rest.indexOf('?');
    String address = question < 0 ? rest : rest.substring(0, question);
    int slash = address.indexOf('/');
    String authority = slash < 0 ? address : address.substring(0, slash);
    String name = slash < 0 ? "" : address.substring(slash + 1);
    int at = authority.lastIndexOf('@');
    if (at >= 0) {
      readCredentials(authority.substring(0, at));
    }
    String hosts = authority.substring(at + 1);
    for (String host : hosts.split(",", -1)) {
      require(HOST.matcher(host).matches(), "its host and port cannot be read");
    }
    require(NAME.matcher(name).matches(), "it names no database, or one that is not encoded");
    if (question >= 0 && question + 1 < rest.length()) {
      for (String parameter : rest.substring(question + 1).split("&", -1)) {
        readParameter(parameter);
      }
    }
    require(user == null || user.chars().noneMatch(Character::isISOControl), "its user is no name");
    return assemble(hosts + "/" + name);
  }

  private void readCredentials(String info) {
    int colon = info.indexOf(':');
    user = decode(colon < 0 ? info : info.substring(0, colon), false);
    password = colon < 0 ? null : decode(info.substring(colon + 1), false);
  }

  private void readParameter(String text) {
    var matcher = PARAMETER.matcher(text);
    require(matcher.matches(), "its parameters cannot be read");
    String name = matcher.group(1);
    String value = matcher.group(2);
    switch (name) {
      case "user" -> {
        require(user == null, "it names the user twice");
        user = decode(value, !libpq);
      }
      case "password" -> {
        require(password == null, "it has two passwords");
        password = decode(value, !libpq);
      }
      default -> {
        require(value.indexOf('@') < 0, "its parameters cannot be read");
        decode(value, !libpq);
        String driverName = libpq ? DRIVER_NAMES.getOrDefault(name, name) : name;
        boolean serverType = libpq && driverName.equals("targetServerType");
        parameters.put(driverName, serverType ? SERVER_TYPES.getOrDefault(value, value) : value);
      }
    }
  }

  private DatabaseUrl assemble(String address) {
    List<String> plain = new ArrayList<>();
    List<String> masked = new ArrayList<>();
    parameters.forEach((name, value) -> {
      plain.add(name + "=" + value);
      masked.add(name + "=" + (SHOWN.contains(name) ? value : Secret.MASK));
    });
    String credentials =
        user == null && password == null
            ? ""
            : (user == null ? "" : user) + (password == null ? "" : ":" + Secret.MASK) + "@";
    return new DatabaseUrl(
        JDBC + address + query(plain),
        user,
        password == null ? null : new Secret(password),
        JDBC + credentials + address + query(masked));
  }

  private static String query(List<String> parameters) {
    return parameters.isEmpty() ? "" : "?" + String.join("&", parameters);
  }

  /** Only the driver reads a plus as a space, and only in parameters. */
  private static String decode(String text, boolean plusIsSpace) {
    try {
      return URLDecoder.decode(
          plusIsSpace ? text : text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      throw new Refused("it has a % that is not followed by two hexadecimal digits");
    }
  }

  private static void require(boolean holds, String reason) {
    if (!holds) {
      throw new Refused(reason);
    }
  }
}
