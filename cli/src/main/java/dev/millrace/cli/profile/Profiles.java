package dev.millrace.cli.profile;

import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.OwnerFile;
import dev.millrace.cli.shell.Profile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The profiles of one folder. Whatever takes the place of another keeps that one first. */
public record Profiles(Path folder) {

  private static final Pattern FILE = Pattern.compile("profile(?:-([A-Za-z0-9_-]+))?\\.properties");
  private static final String KEPT = "before";

  /** The default profile; empty if there is none, or none that can be read. */
  public Optional<Profile> current() {
    try {
      return readable(file(Profile.DEFAULT));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /** Every profile that can be read, by its name. */
  public SortedMap<String, Profile> all() throws IOException {
    SortedMap<String, Profile> all = new TreeMap<>();
    if (!Files.isDirectory(folder)) {
      return all;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "profile*.properties")) {
      for (Path file : files) {
        Matcher name = FILE.matcher(String.valueOf(file.getFileName()));
        if (name.matches()) {
          String known = name.group(1) == null ? Profile.DEFAULT : name.group(1);
          readable(file).ifPresent(profile -> all.put(known, profile));
        }
      }
    }
    return all;
  }

  /**
   * Makes this the default profile.
   *
   * @return under which name the one before is kept; empty if there was none, or the same
   */
  public Optional<String> use(Profile next) throws IOException {
    Path file = file(Profile.DEFAULT);
    OwnerFile.makeFolder(folder);
    // Two servers that start at once must not both replace the same one.
    Path lock = folder.resolve(".lock");
    try (FileChannel channel =
            FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock _ = channel.lock()) {
      if (readable(file).filter(next::equals).isPresent()) {
        return Optional.empty();
      }
      Optional<String> kept = Files.exists(file) ? Optional.of(keep(file)) : Optional.empty();
      next.save(file);
      return kept;
    }
  }

  public Path file(String name) {
    return Profile.file(folder, name);
  }

  /**
   * Copies the file as it is, with whatever somebody wrote into it, unless there is such a copy.
   */
  private String keep(Path file) throws IOException {
    Optional<Profile> present = readable(file);
    if (present.isPresent()) {
      for (Map.Entry<String, Profile> other : all().entrySet()) {
        boolean same = other.getValue().equals(present.get());
        if (same && !other.getKey().equals(Profile.DEFAULT)) {
          return other.getKey();
        }
      }
    }
    String name = KEPT;
    for (int number = 2; Files.exists(file(name)); number++) {
      name = KEPT + "-" + number;
    }
    OwnerFile.replace(file(name), Files.readAllBytes(file));
    return name;
  }

  private static Optional<Profile> readable(Path file) throws IOException {
    try {
      return Profile.load(file);
    } catch (CommandFailure _) {
      // It is kept like any other; who uses it by name is told what is wrong with it.
      return Optional.empty();
    }
  }
}
