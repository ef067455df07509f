package dev.millrace.contract.text;

import java.util.Locale;
import java.util.Set;

/** Tells names of machines from names of files, modules and functions, which have dots as well. */
final class HostNames {

  /** Ends that name nothing else, so that two parts are enough. */
  private static final Set<String> PLAIN =
      Set.of(
          "com",
          "org",
          "net",
          "ai",
          "co",
          "cloud",
          "dev",
          "internal",
          "local",
          "lan",
          "corp",
          "intranet",
          "localdomain",
          "onion",
          "example");

  /** Ends that may be something else; three parts make it sure enough. */
  private static final Set<String> OFTEN =
      Set.of(
          "io",
          "run",
          "app",
          "sh",
          "me",
          "de",
          "uk",
          "eu",
          "fr",
          "us",
          "tv",
          "xyz",
          "tech",
          "biz",
          "media",
          "delivery",
          "home",
          "arpa",
          "svc",
          "cn",
          "jp",
          "ru",
          "nl",
          "ch",
          "link",
          "site",
          "online",
          "host",
          "gg",
          "cc",
          "au",
          "ca",
          "br",
          "kr",
          "se",
          "no",
          "pl",
          "es",
          "gov",
          "edu");

  private static final Set<String> PROVIDERS =
      Set.of("fal.run", "fal.media", "replicate.delivery", "runpod.io", "modal.run", "beam.cloud");

  /** Programs and attributes of programs that look so. */
  private static final Set<String> NOT_HOSTS =
      Set.of("asp", "self", "model", "torch", "this", "vb");

  private HostNames() {}

  static boolean isHost(String found) {
    int colon = found.indexOf(':');
    String name = (colon < 0 ? found : found.substring(0, colon)).toLowerCase(Locale.ROOT);
    String[] labels = name.split("\\.", -1);
    String end = labels[labels.length - 1];
    if (PROVIDERS.contains(name)) {
      return true;
    }
    return labels.length == 2
        ? PLAIN.contains(end) && !NOT_HOSTS.contains(labels[0])
        : (PLAIN.contains(end) || OFTEN.contains(end)) && !NOT_HOSTS.contains(labels[0]);
  }
}
