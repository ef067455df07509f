package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.service.attempt.Breaker;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import dev.millrace.storage.ObjectStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Code that breaks down in this process, when work may have left it or has come back to it. */
class BreakdownApiPgTest {

  @TempDir static Path folder;
  private static ServerRig rig;
  private final Breaker breaker = new Breaker(InstantSource.system());

  @BeforeAll
  static void start() {
    rig = ServerRig.start(folder, "EXECUTOR_SLOTS=0");
  }

  @AfterAll
  static void stop() {
    rig.examine();
    rig.close();
  }

  static Stream<Throwable> breakdowns() {
    return Stream.of(
        new OutOfMemoryError("not really"),
        new StackOverflowError(),
        new NoClassDefFoundError("Missing"),
        new AssertionError("a law of its own"),
        new IllegalStateException("a bug"));
  }

  @ParameterizedTest
  @MethodSource("breakdowns")
  void whatever_is_thrown_after_the_send_the_work_is_found_and_not_bought_again(Throwable thrown) {
    TakingProvider provider = new TakingProvider(thrown, true);
    try (SecondExecutor _ = executor(provider)) {
      String id = asked();
      assertThat(rig.admin().awaitJob(id, "completed", "dead_letter").at("/attempt"))
          .isEqualTo("1");
    }
    assertThat(provider.bought()).isEqualTo(1);
    assertThat(rig.admin().job(rig.ask("select max(id::text) from job")).at("/state"))
        .isEqualTo("completed");
  }

  @Test
  void an_error_after_the_send_to_a_service_that_can_not_be_asked_sends_nothing_again() {
    TakingProvider provider = new TakingProvider(new OutOfMemoryError("not really"), false);
    try (SecondExecutor _ = executor(provider)) {
      String id = asked();
      rig.admin().awaitJob(id, "submitted");
      await().until(() -> provider.questions() > 0);
      assertThat(rig.admin().get("/api/jobs/" + id + "/why").expect(200).at("/cause"))
          .isEqualTo("provider_unconfirmed");
      assertThat(provider.bought()).isEqualTo(1);
      rig.admin().post("/api/jobs/" + id + "/cancel", "").expect(200);
    }
  }

  @ParameterizedTest
  @MethodSource("breakdowns")
  void a_call_to_a_service_that_breaks_down_here_is_uncertain_and_says_nothing_of_the_service(
      Throwable thrown) {
    for (int i = 0; i < 4; i++) {
      breaker.bad();
    }
    CalledProvider provider =
        new CalledProvider(
            true,
            _ -> {
              throw TakingProvider.<RuntimeException>disguised(thrown);
            });
    try (SecondExecutor _ = executor(provider)) {
      Answer job = rig.admin().awaitJob(asked(), "failed", "dead_letter");
      assertThat(job.at("/error/code")).isEqualTo("uncertain");
    }
    assertThat(provider.calls().get()).isEqualTo(1);
    assertThat(breaker.standing().troubles()).isEqualTo(4);
  }

  @Test
  void a_store_that_breaks_down_is_no_reason_to_make_a_result_again() {
    CalledProvider provider = new CalledProvider(false, _ -> CalledProvider.succeeded("hello"));
    AtomicInteger troubles = new AtomicInteger(2);
    try (SecondExecutor _ =
        SecondExecutor.of(rig, objects(), provider, breaker, store -> broken(store, troubles))
            .start()) {
      assertThat(rig.admin().awaitJob(asked(), "completed", "dead_letter").at("/attempt"))
          .isEqualTo("1");
    }
    assertThat(troubles.get()).isNegative();
    assertThat(provider.calls().get()).isEqualTo(1);
    assertThat(breaker.standing().troubles()).isZero();
  }

  @Test
  void an_output_that_can_be_read_at_the_second_try_is_not_made_again() {
    AtomicInteger troubles = new AtomicInteger(1);
    CalledProvider provider =
        new CalledProvider(
            true,
            _ ->
                new Outcome.Succeeded(
                    List.of(
                        new Output(
                            "a.txt",
                            "text/plain",
                            out -> {
                              if (troubles.getAndDecrement() > 0) {
                                throw new java.io.IOException("half-way");
                              }
                              out.write("hello".getBytes(StandardCharsets.UTF_8));
                            })),
                    Map.of()));
    try (SecondExecutor _ = executor(provider)) {
      assertThat(rig.admin().awaitJob(asked(), "completed", "dead_letter").at("/attempt"))
          .isEqualTo("1");
    }
    assertThat(provider.calls().get()).isEqualTo(1);
  }

  private SecondExecutor executor(dev.millrace.spi.provider.Performer provider) {
    return SecondExecutor.of(rig, objects(), provider, breaker, store -> store).start();
  }

  private static String asked() {
    return rig.admin().asked("sketch/draft", "\"prompt\":\"a cat\"");
  }

  private static Path objects() {
    return folder.resolve("data").resolve("objects");
  }

  /** A store with a bug that shows a few times. */
  static ObjectStore broken(ObjectStore store, AtomicInteger troubles) {
    return (ObjectStore)
        Proxy.newProxyInstance(
            ObjectStore.class.getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (_, method, arguments) -> {
              if (method.getName().equals("put") && troubles.getAndDecrement() > 0) {
                throw new IllegalStateException("a bug of the store's");
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
