package dev.millrace.mutants.child;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs single test methods, with all their invocations, until one fails. */
final class TestRuns implements AutoCloseable {

  /** Less than a test usually has: a mutant that makes everybody wait is seen soon enough. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final Set<String> METHODS = Set.of("method", "test-template", "test-factory");

  private final LauncherSession session = LauncherFactory.openSession();
  private final Launcher launcher = session.getLauncher();

  TestRuns() {
    Awaitility.setDefaultTimeout(PATIENCE);
  }

  /** The ids of all test methods below a folder of classes. */
  List<String> find(Path classes) {
    List<String> found = new ArrayList<>();
    var request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClasspathRoots(Set.of(classes)))
            .build();
    var plan = launcher.discover(request);
    plan.getRoots().stream()
        .flatMap(root -> plan.getDescendants(root).stream())
        .filter(TestRuns::isMethod)
        .forEach(test -> found.add(test.getUniqueId()));
    return found;
  }

  private static boolean isMethod(TestIdentifier test) {
    UniqueId.Segment last = test.getUniqueIdObject().getLastSegment();
    return METHODS.contains(last.getType());
  }

  /** What went wrong, if anything did. */
  Optional<Throwable> run(String test) {
    CancellationToken token = CancellationToken.create();
    List<Throwable> failures = new ArrayList<>();
    TestExecutionListener listener =
        new TestExecutionListener() {
          @Override
          public void executionFinished(TestIdentifier one, TestExecutionResult result) {
            result
                .getThrowable()
                .filter(_ -> result.getStatus() == TestExecutionResult.Status.FAILED)
                .ifPresent(failure -> {
                  failures.add(failure);
                  token.cancel();
                });
          }
        };
    var discovery =
        LauncherDiscoveryRequestBuilder.request().selectors(selectUniqueId(test)).build();
    launcher.execute(
        LauncherExecutionRequestBuilder.request(discovery)
            .cancellationToken(token)
            .listeners(listener)
            .build());
    return failures.stream().findFirst();
  }

  @Override
  public void close() {
    session.close();
  }
}
