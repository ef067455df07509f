package dev.millrace.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who PostgreSQL runs as, for it refuses to run as root.
 *
 * <p>An ordinary user runs it as themselves. Root runs it in a user namespace, where it is nobody
 * in particular yet still owns its files; where the kernel or a container forbids that, as an
 * unprivileged account, which then owns the cluster.
 *
 * @param prefix the words put before a command to run it as this account
 * @param uid who has to own the cluster's files, seen from outside
 */
record Account(List<String> prefix, int uid) {
  private static final Duration PROBE_LIMIT = Duration.ofSeconds(20);

  Command command(Path directory, String... words) {
    return new Command(Stream.concat(prefix.stream(), Stream.of(words)).toList(), directory);
  }

  static Account choose(Path dataDir, Path cluster, Host host) throws IOException {
    int self = ownUid(dataDir);
    if (self != 0) {
      requireOwnership(cluster, self);
    }
    var candidates = self == 0 ? candidatesOfRoot(cluster, host) : candidatesOfUser(self, host);
    for (Account candidate : candidates) {
      if (candidate.worksIn(dataDir)) {
        return candidate;
      }
    }
    throw new EmbeddedDatabaseException(self == 0 ? rootIsStuck(dataDir) : userIsStuck(self));
  }

  private static String rootIsStuck(Path dataDir) {
    return """
    PostgreSQL refuses to run as root, and no way around it works in %s: neither a user namespace (unshare -U) nor setpriv \
    or runuser with the account postgres or nobody. Start Millrace as an ordinary user, or put the data directory where \
    such an account may enter, or set MILLRACE_DATABASE_URL to a database of your own.\
    """
        .formatted(dataDir);
  }

  private static String userIsStuck(int uid) {
    return """
    PostgreSQL refuses to run as the user id %d, which has no name on this machine, and user namespaces (unshare -U) don't \
    work here. Start Millrace as a user listed in /etc/passwd, or set MILLRACE_DATABASE_URL to a database of your own.\
    """
        .formatted(uid);
  }

  /**
   * A container may run us under a bare number; in a user namespace that number has a name,
   * nobody's.
   */
  private static List<Account> candidatesOfUser(int self, Host host) {
    var plain = new Account(List.of(), self);
    return host.userNamespaces() ? List.of(plain, inNamespace(self)) : List.of(plain);
  }

  private static Account inNamespace(int self) {
    return new Account(List.of("unshare", "-U", "--"), self);
  }

  private static List<Account> candidatesOfRoot(Path cluster, Host host) throws IOException {
    var candidates = new ArrayList<Account>();
    if (Files.exists(cluster) && Tree.owner(cluster.toRealPath()) != 0) {
      // Made by an ordinary user, or by root on a host without namespaces: it stays with its owner,
      // who may come back.
      String owner = Files.getOwner(cluster).getName();
      candidates.addAll(switchingTo(owner));
    }
    if (host.userNamespaces()) {
      candidates.add(inNamespace(0));
    }
    candidates.addAll(switchingTo("postgres"));
    candidates.addAll(switchingTo("nobody"));
    return candidates;
  }

  private static List<Account> switchingTo(String name) {
    Optional<Integer> uid = id("-u", name);
    Optional<Integer> gid = id("-g", name);
    if (uid.isEmpty() || gid.isEmpty() || uid.get() == 0) {
      return List.of();
    }
    var setpriv =
        List.of(
            "setpriv",
            "--reuid=" + uid.get(),
            "--regid=" + gid.get(),
            "--clear-groups",
            "--inh-caps=-all",
            "--no-new-privs",
            "--");
    var runuser = List.of("runuser", "-u", name, "--");
    return List.of(new Account(setpriv, uid.get()), new Account(runuser, uid.get()));
  }

  private static Optional<Integer> id(String option, String name) {
    var result = new Command(List.of("id", option, "--", name), Path.of("/")).run(PROBE_LIMIT);
    return result.succeeded() && result.output().matches("\\d{1,9}")
        ? Optional.of(Integer.valueOf(result.output()))
        : Optional.empty();
  }

  /** The account must be able to enter the directory, and initdb insists that it has a name. */
  private boolean worksIn(Path dataDir) throws IOException {
    if (uid != Tree.owner(dataDir)) {
      var permissions = Files.getPosixFilePermissions(dataDir);
      if (permissions.add(PosixFilePermission.OTHERS_EXECUTE)) {
        Files.setPosixFilePermissions(dataDir, permissions);
      }
    }
    String enter = "cd \"$1\" && id -un";
    return command(Path.of("/"), "sh", "-c", enter, "sh", dataDir.toString())
        .run(PROBE_LIMIT)
        .succeeded();
  }

  private static void requireOwnership(Path cluster, int self) throws IOException {
    if (Files.exists(cluster) && Tree.owner(cluster.toRealPath()) != self) {
      throw new EmbeddedDatabaseException(
          "The database in %s belongs to the user %s. Start Millrace as that user, or give this one a data directory of its own."
              .formatted(cluster, Files.getOwner(cluster)));
    }
  }

  /** The user a new file belongs to is the one we are; Java has no other portable way to ask. */
  private static int ownUid(Path dataDir) throws IOException {
    Path probe = Files.createTempFile(dataDir, ".probe-", "");
    try {
      return Tree.owner(probe);
    } finally {
      Files.delete(probe);
    }
  }
}
