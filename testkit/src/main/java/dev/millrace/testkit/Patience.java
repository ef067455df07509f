package dev.millrace.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * How long a test waits for a condition before it gives up, unless it says so itself. A condition
 * that comes costs no more than it takes, so this is for the slowest machine and not for a usual
 * one. JUnit finds it on the class path of every module that has the testkit.
 */
public final class Patience implements LauncherSessionListener {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    Awaitility.setDefaultTimeout(LIMIT);
  }
}
