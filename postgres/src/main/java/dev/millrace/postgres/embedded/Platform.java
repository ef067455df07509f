package dev.millrace.postgres.embedded;

import java.util.Locale;

/**
 * The name under which the binaries for an operating system and a processor lie on the class path.
 */
record Platform(String os, String arch) {
  static Platform current() {
    return of(System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  static Platform of(String osName, String osArch) {
    String os = osName.toLowerCase(Locale.ROOT);
    String arch = osArch.toLowerCase(Locale.ROOT);
    return new Platform(
        os.startsWith("mac") ? "darwin" : os,
        switch (arch) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64", "arm64" -> "arm_64";
          default -> arch;
        });
  }

  String archive() {
    return "postgres-" + os + "-" + arch + ".txz";
  }

  EmbeddedDatabaseException unsupported() {
    return new EmbeddedDatabaseException(
        "This build of Millrace brings no PostgreSQL for %s on %s (there is no %s on the class path). Set MILLRACE_DATABASE_URL to a PostgreSQL 18 of your own."
            .formatted(os, arch, archive()));
  }
}
