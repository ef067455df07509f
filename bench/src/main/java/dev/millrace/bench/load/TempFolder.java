package dev.millrace.bench.load;

import dev.millrace.bench.place.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder beside the database's; it goes with the run's folder. */
public record TempFolder(Path path) implements AutoCloseable {

  public TempFolder(Site site) throws IOException {
    this(Files.createTempDirectory(site.folder(), "server-"));
  }

  @Override
  public void close() {
    // The run removes all of its folders at its end, the logs of a failed server included.
  }
}
