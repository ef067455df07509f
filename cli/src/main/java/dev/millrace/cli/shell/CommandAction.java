package dev.millrace.cli.shell;

/** A command that can be run; every leaf of the command tree is one. */
@FunctionalInterface
public interface CommandAction {

  /** Does the work. Trouble may be thrown: it is told in one place, see {@link Complaint}. */
  ExitCode run(Session session) throws Exception;
}
