package dev.millrace.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedSyncTest {

  private final SharedSync shared = new SharedSync();

  @TempDir private Path folder;

  @Test
  void everybody_is_served() throws Exception {
    List<Future<Path>> waiting = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 200; i++) {
        Path file = folder.resolve("file-" + i);
        waiting.add(
            threads.submit(() -> {
              Files.createFile(file);
              shared.sync(folder);
              return file;
            }));
      }
    }
    for (Future<Path> file : waiting) {
      assertThat(file.get()).exists();
    }
  }

  /** Nobody may take a sync that failed for one that happened. */
  @Test
  void a_failure_is_told_and_not_remembered() throws Exception {
    Path late = folder.resolve("late");
    assertThatThrownBy(() -> shared.sync(late)).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> shared.sync(late)).isInstanceOf(NoSuchFileException.class);
    Files.createDirectory(late);
    shared.sync(late);
  }
}
