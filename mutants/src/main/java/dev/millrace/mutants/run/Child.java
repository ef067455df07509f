package dev.millrace.mutants.run;

import dev.millrace.mutants.child.Baseline;
import dev.millrace.mutants.child.ChildMain;
import dev.millrace.mutants.child.Trial;
import dev.millrace.mutants.child.TrialResult;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A child process that runs tests; see {@link ChildMain}. */
final class Child implements AutoCloseable {

  /** Plays the last twenty of its schedules: most that can be seen at all is seen in those. */
  private static final String FEW_SCHEDULES = "-Dmillrace.sim.from=481";

  private final Repository repository;
  private final Process process;
  private final ObjectOutputStream questions;
  private final ObjectInputStream answers;

  Child(Repository repository, String name) throws IOException {
    this.repository = repository;
    Path patch = repository.out().resolve("driver");
    List<Path> path = new ArrayList<>(List.of(patch));
    for (String module : List.of("postgres", "engine")) {
      path.add(repository.testClasses(module));
      path.add(repository.classes(module));
    }
    path.add(repository.classes("testkit"));
    path.add(repository.classes("contract"));
    path.addAll(repository.libraries());
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Djava.awt.headless=true",
                FEW_SCHEDULES,
                "-cp",
                Repository.classPath(path),
                ChildMain.class.getName())
            .directory(repository.module("postgres").toFile())
            .redirectError(
                ProcessBuilder.Redirect.appendTo(repository.out().resolve(name + ".log").toFile()))
            .start();
    questions = new ObjectOutputStream(process.getOutputStream());
    questions.flush();
    answers = new ObjectInputStream(process.getInputStream());
  }

  Baseline record(Set<String> known) throws IOException {
    return (Baseline)
        ask(
            new ChildMain.Question(
                repository.classes("postgres").toString(),
                repository.testClasses("postgres").toString(),
                known));
  }

  TrialResult run(Trial trial) throws IOException {
    return (TrialResult) ask(trial);
  }

  private Object ask(Object question) throws IOException {
    try {
      questions.writeObject(question);
      questions.flush();
      questions.reset();
      return answers.readObject();
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Its PostgreSQL ends with it. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroy();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
          process.destroyForcibly().waitFor();
        }
      }
    } catch (IOException _) {
      process.destroy();
    } catch (InterruptedException _) {
      process.destroy();
      Thread.currentThread().interrupt();
    }
  }
}
