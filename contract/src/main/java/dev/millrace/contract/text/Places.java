package dev.millrace.contract.text;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where things are: addresses of services, names of machines, files of theirs. */
final class Places {

  private static final String URL = "[url]";
  private static final String PATH = "[path]";
  private static final String HOST = "[host]";
  private static final String ADDRESS = "[address]";

  /** A URL ends at a space, a quote, or where a sentence of another script goes on. */
  private static final String URL_REST = "[^\\s\"'`<>\\u3000-\\u303f\\uff00-\\uffef]*+";

  private static final String SEGMENT = "[^\\s\"'`<>|:,;()\\[\\]{}?*\\\\/!\\u3000-\\u303f]";
  private static final String QUERY = "(?:\\?[^\\s\"'`<>]{0,4000}+)?";

  /** What stands at the root of a machine's files, and is a path also by itself. */
  private static final Set<String> ROOTS =
      Set.of(
          "app",
          "bin",
          "boot",
          "content",
          "data",
          "dev",
          "etc",
          "home",
          "lib",
          "lib64",
          "media",
          "mnt",
          "objects",
          "opt",
          "private",
          "proc",
          "root",
          "run",
          "sbin",
          "srv",
          "sys",
          "tmp",
          "users",
          "usr",
          "var",
          "volumes",
          "workspace");

  /** The folders of those programs that run models, by which relative paths begin. */
  private static final String MODEL_FOLDER =
      "(?i:comfyui|models?|checkpoints?|loras?|vae|unet|clip|clip_vision|controlnet|embeddings"
          + "|diffusion_models|text_encoders|upscale_models|custom_nodes|weights)";

  private static final Pattern MODEL =
      Pattern.compile(
          "(?i)\\.(?:safetensors|sft|ckpt|gguf|ggml|pth|pt|onnx|bin|engine)[.,;:!?)\\]}]*$");

  static final List<Rule> URLS =
      List.of(
          Rule.of("(?i:file):(?:\\\\{0,3}/){1,3}[^\\s\"'`<>]*+", found -> ended(found, PATH)),
          Rule.of("(?i:data):[a-zA-Z]{1,20}/[a-zA-Z0-9.+-]{1,60}[;,][^\\s\"'`<>]*+", "[data]"),
          Rule.of(
              "(?:[A-Za-z]{1,12}:)?[A-Za-z0-9+.-]{0,21}:(?:\\\\{0,3}/){2}" + URL_REST,
              found -> ended(found, URL)),
          Rule.of(
              "[A-Za-z0-9+.-]{1,21}%3[Aa](?:%2[Ff]){2}" + URL_REST, found -> ended(found, URL)));

  static final List<Rule> RULES =
      List.of(
          // With its quotes around it a path may have spaces.
          Rule.of(
              "(?<=[\"'`])(?:/|~/|\\.{1,2}/)[^\\s\"'`/]{1,255}+/[^\"'`\\n]{1,1000}+(?=[\"'`])",
              PATH),
          Rule.of("(?<=[\"'`])[A-Za-z]:[\\\\/][^\"'`\\n]{1,1000}+(?=[\"'`])", PATH),
          Rule.of(
              "(?<![A-Za-z0-9])[A-Za-z]:[\\\\/]{1,4}+(?:[^\\\\/:*?\"'`<>|\\n]{1,120}+[\\\\/]{1,4}+){0,30}+"
                  + "[^\\s\\\\/:*?\"'`<>|,;()\\[\\]]{0,200}+",
              found -> ended(found, PATH)),
          Rule.of(
              "(?<![\\\\A-Za-z0-9])\\\\{2,4}+[A-Za-z0-9._$-]{1,120}+"
                  + "(?:\\\\{1,2}[^\\\\/:*?\"'`<>|\\s]{1,120}+){1,30}+",
              found -> ended(found, PATH)),
          Rule.of(
              "(?<![A-Za-z0-9._/])(?:\\.{1,2}/|~[A-Za-z0-9_-]{0,32}/"
                  + "|\\$\\{?[A-Za-z_]{1,40}+}?/|%[A-Za-z_]{2,40}+%[\\\\/])"
                  + "(?:[\\\\/]|"
                  + SEGMENT
                  + "){1,1000}+",
              found -> ended(found, PATH)),
          Rule.of(
              "(?<![A-Za-z0-9_./~*)\\]}%<-])(?:/{1,2}(?:"
                  + SEGMENT
                  + "|\\\\ ){1,255}+){1,60}+/?+"
                  + QUERY,
              Places::path),
          // Where a machine keeps what its programs load.
          Rule.of(
              "(?<![A-Za-z0-9._/\\\\-])"
                  + MODEL_FOLDER
                  + "(?:[\\\\/]{1,4}+"
                  + SEGMENT
                  + "{1,255}+){1,30}+",
              found -> MODEL.matcher(found.group()).find() ? ended(found, PATH) : null),
          // Where the server keeps things in its object store.
          Rule.of("(?<![A-Za-z0-9])tenants/(?:/?" + SEGMENT + "){1,1000}+" + QUERY, PATH),
          Rule.of(
              "(?<![^\\s\"'`(<\\[=,;])[^\\s:@/\"'`]{1,64}+:[^\\s@/\"'`]{1,200}+@[A-Za-z0-9.-]{1,253}+",
              Secrets.SECRET),
          Rule.of(
              "(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}+@[A-Za-z0-9.-]{1,253}\\.[A-Za-z]{2,24}",
              ADDRESS),
          Rule.of(
              "(?<![0-9A-Za-z:._])[0-9A-Fa-f]{0,4}+(?::[0-9A-Fa-f]{0,4}+){2,8}+"
                  + "(?:\\.[0-9]{1,3}){0,3}(?:%[a-z0-9]{1,16})?(?![0-9A-Za-z:])",
              found -> isAddress(found.group()) ? ADDRESS : null),
          Rule.of(
              "(?<![0-9A-Za-z.])(?<!(?i:version|release|driver|build|cuda) )(?<!==)"
                  + "([0-9]{1,3})\\.([0-9]{1,3})\\.([0-9]{1,3})\\.([0-9]{1,3})(?![0-9A-Za-z]|\\.[0-9])"
                  + "(?::[0-9]{1,5})?(?:/[0-9]{1,2}(?![0-9A-Za-z]))?",
              found -> isQuad(found) ? ADDRESS : null),
          Rule.of(
              "(?i:UnknownHostException|ENOTFOUND|EAI_AGAIN|unknown host|no such host|resolve host)"
                  + "[: ]{1,3}[\"']?(?!\\[)[A-Za-z0-9._-]{1,253}+",
              found -> lastWord(found, HOST)),
          Rule.of(
              "(?<![A-Za-z0-9@_.-])(?:[A-Za-z0-9][A-Za-z0-9_-]{0,62}+\\.){1,10}[A-Za-z]{2,24}"
                  + "(?![A-Za-z0-9_(])(?::[0-9]{1,5})?",
              found -> HostNames.isHost(found.group()) ? HOST : null),
          Rule.of(
              "(?<![A-Za-z0-9@_.-])(?:(?i:localhost)(?::[0-9]{1,5})?|ip(?:-[0-9]{1,3}){4}"
                  + "|i-[0-9a-f]{8,17}|[A-Za-z][A-Za-z0-9]{0,30}+(?:-[A-Za-z0-9]{1,30}+){1,6}+:[0-9]{4,5})"
                  + "(?![A-Za-z0-9])",
              HOST));

  private Places() {}

  /** What ends a sentence isn't a part of what was found. */
  private static String ended(MatchResult found, String instead) {
    String text = found.group();
    int end = text.length();
    while (end > 0 && ".,;:!?)]}".indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    return instead + text.substring(end);
  }

  private static String lastWord(MatchResult found, String instead) {
    String text = found.group();
    int start = text.length();
    while (start > 0
        && (Character.isLetterOrDigit(text.charAt(start - 1))
            || "._-".indexOf(text.charAt(start - 1)) >= 0)) {
      start--;
    }
    return text.substring(0, start) + instead;
  }

  /** A single word after a slash is a command or a unit, unless it is known to be a folder. */
  private static @Nullable String path(MatchResult found) {
    String text = found.group();
    int question = text.indexOf('?');
    String bare = question < 0 ? text : text.substring(0, question);
    String[] segments = bare.replaceFirst("^/+", "").replaceFirst("\\.+$", "").split("/+", -1);
    boolean several = segments.length > 1 && !segments[1].isEmpty();
    boolean root = ROOTS.contains(segments[0].toLowerCase(Locale.ROOT));
    boolean file = segments[0].matches("[^.]{1,200}\\.[A-Za-z][A-Za-z0-9]{0,11}");
    return several || root || file ? ended(found, PATH) : null;
  }

  private static boolean isQuad(MatchResult found) {
    for (int i = 1; i <= 4; i++) {
      if (Integer.parseInt(found.group(i)) > 255) {
        return false;
      }
    }
    return true;
  }

  /** Times and ratios have colons as well, but neither two in a row nor seven. */
  private static boolean isAddress(String text) {
    int zone = text.indexOf('%');
    String[] groups = (zone < 0 ? text : text.substring(0, zone)).split(":", -1);
    boolean digits = Secrets.hasDigit(text);
    boolean letters = text.chars().anyMatch(Character::isLetter);
    if (text.contains(":::")) {
      return false;
    }
    if (!text.contains("::")) {
      boolean hardware = groups.length == 6 && letters && pairs(groups);
      return (groups.length == 8 && !groups[0].isEmpty() && !groups[7].isEmpty()) || hardware;
    }
    return digits;
  }

  private static boolean pairs(String[] groups) {
    for (String group : groups) {
      if (group.length() != 2) {
        return false;
      }
    }
    return true;
  }
}
