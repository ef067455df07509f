package dev.millrace.cli.profile;

import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.OwnerFile;
import dev.millrace.cli.shell.Profile;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The key of the person who starts a server: one that they have, or a new one. It is shown on a
 * terminal only, because what a service prints ends in a log that others read.
 *
 * @param file where the key is kept beside the profile; the data folder outlives a container
 */
public record OwnerKey(Profiles profiles, Path file, boolean onTerminal) {

  /**
   * What became of it, in words for the greeting.
   *
   * @param key empty if the server has keys and none of them is here
   * @param profile what the person should know about their profile, or empty
   */
  public record KeptKey(Optional<String> key, String words, String profile) {

    /** Leaves the key out. */
    @Override
    public String toString() {
      return "KeptKey[profile=" + profile + "]";
    }
  }

  /**
   * Finds a key that the server accepts, or has one made, and keeps it.
   *
   * @param make a new key, if there is to be one
   */
  public KeptKey keep(URI server, Predicate<String> accepts, Supplier<Optional<String>> make)
      throws IOException {
    Path profile = profiles.file(Profile.DEFAULT);
    Optional<Profile> present = profiles.current();
    Optional<String> known = present.map(Profile::key).filter(accepts);
    if (known.isPresent()) {
      return new KeptKey(known, "in " + profile, remember(server, known.get()));
    }
    Optional<String> kept = kept().filter(accepts);
    if (kept.isPresent()) {
      return new KeptKey(kept, "in " + file, remember(server, kept.get()));
    }
    boolean profileHasRoom = OwnerFile.canBeWritten(profile);
    if (!profileHasRoom && !OwnerFile.canBeWritten(file)) {
      // A key that is made and lost can't be made again on a database that has one.
      throw new CommandFailure(
          ExitCode.INTERNAL,
          "Neither " + profile + " nor " + file + " can be written, so a key has no place.",
          "set MILLRACE_DATA_DIR or MILLRACE_PROFILE_DIR to a folder of your own");
    }
    Optional<String> made = make.get();
    if (made.isEmpty()) {
      return new KeptKey(made, "none made; use one of this database's", "");
    }
    boolean inFile = !onTerminal || !profileHasRoom;
    if (inFile) {
      OwnerFile.replace(file, (made.get() + "\n").getBytes(StandardCharsets.UTF_8));
    }
    String about = profileHasRoom ? remember(server, made.get()) : notWritten(server);
    Path place = inFile ? file : profile;
    return new KeptKey(
        made,
        onTerminal ? made.get() + "  (shown once; kept in " + place + ")" : "in " + place,
        about);
  }

  private Optional<String> kept() {
    try {
      return Optional.of(Files.readString(file).strip());
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private String remember(URI server, String key) {
    try {
      return profiles
          .use(new Profile(server, key))
          .map(
              name -> "now of this server; the one before is kept: ./millrace profiles use " + name)
          .orElse("");
    } catch (IOException _) {
      return notWritten(server);
    }
  }

  private String notWritten(URI server) {
    return "not written, as there is no access to %s; the commands need MILLRACE_URL=%s and MILLRACE_API_KEY"
        .formatted(profiles.folder(), server);
  }
}
