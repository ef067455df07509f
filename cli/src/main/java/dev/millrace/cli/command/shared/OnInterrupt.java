package dev.millrace.cli.command.shared;

import dev.millrace.cli.shell.Session;

/**
 * Says how to come back when Ctrl-C ends the process during a wait. The process then ends with 130,
 * as the JVM does by itself.
 */
public final class OnInterrupt implements AutoCloseable {

  private final Session session;
  private final Thread hook = new Thread(this::tell, "on interrupt");
  private volatile String advice;

  public OnInterrupt(Session session, String advice) {
    this.session = session;
    this.advice = advice;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  public void advise(String newAdvice) {
    advice = newAdvice;
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      // The process is going down, so the hook has its say.
    }
  }

  private void tell() {
    session.say(System.lineSeparator() + advice);
  }
}
