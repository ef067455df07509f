package dev.millrace.testkit.outside;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.spi.provider.Order;
import dev.millrace.testkit.outside.OutsideTask.Stage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A double of an outside service that takes work. Its subclass knows the service's own words. */
public abstract class OutsideService implements AutoCloseable {

  protected final JsonMapper json = JsonMapper.builder().build();
  protected final InstantSource clock;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient client = HttpClient.newHttpClient();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Map<String, OutsideTask> tasks = new LinkedHashMap<>();
  private final List<Asked> asked = new ArrayList<>();
  private final Queue<Mishap> submitMishaps = new ArrayDeque<>();
  private final Queue<Mishap> questionMishaps = new ArrayDeque<>();
  private final Misbehaviour misbehaviour = new Misbehaviour(closing);
  private volatile boolean hidesNewWork;
  private volatile Duration listedAfter = Duration.ZERO;
  private volatile Webhooks webhooks = Webhooks.ONCE;
  private volatile @Nullable Storm storm;

  protected OutsideService(InstantSource clock) {
    this.clock = clock;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Begins to answer. */
  protected final void open() {
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /** Whether a request asks for new work. */
  protected abstract boolean isSubmit(Asked request);

  /** Does what a request asks for, and answers as the original would. */
  protected abstract Answered answer(Asked request);

  /** Sends the news about a task to its callback, signed as the original does. */
  protected abstract HttpRequest webhook(OutsideTask task, URI callback);

  /** The intent that a task was asked for with. */
  protected Optional<String> intent(OutsideTask task) {
    return task.callback().flatMap(Order::intentIn);
  }

  /** The output that {@link #succeed} gives. */
  protected abstract JsonNode usualOutput();

  /** The words with which the original's safety filter refuses. */
  protected abstract String refusal();

  public final URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** How many pieces of work the customer has to pay for. */
  public final int bill() {
    synchronized (tasks) {
      return tasks.size();
    }
  }

  /** How many pieces of work were taken for each intent; more than one was paid for twice. */
  public final Map<String, Integer> acceptedPerIntent() {
    Map<String, Integer> accepted = new TreeMap<>();
    synchronized (tasks) {
      tasks
          .values()
          .forEach(task -> intent(task).ifPresent(i -> accepted.merge(i, 1, Integer::sum)));
    }
    return accepted;
  }

  /** All work that was taken, oldest first, and when it could be known of. */
  public final List<Taken> taken() {
    synchronized (tasks) {
      return tasks.values().stream().map(task -> task.taken(intent(task).orElse(""))).toList();
    }
  }

  /** How often this intent was submitted, whatever came of it. */
  public final int submitsOf(String intent) {
    return (int)
        asked().stream()
            .filter(this::isSubmit)
            .filter(request -> request.body().contains(intent) || request.query().contains(intent))
            .count();
  }

  /** The references of all work, oldest first. */
  public final List<String> references() {
    synchronized (tasks) {
      return List.copyOf(tasks.keySet());
    }
  }

  /** How far this work is. */
  public final OutsideTask.Stage stage(String reference) {
    synchronized (tasks) {
      return Objects.requireNonNull(tasks.get(reference), "no such work").stage;
    }
  }

  /** Whether all work is over. */
  public final boolean idle() {
    synchronized (tasks) {
      return tasks.values().stream().allMatch(task -> task.stage.over());
    }
  }

  public final List<Asked> asked() {
    synchronized (asked) {
      return List.copyOf(asked);
    }
  }

  /** The next submit gets into trouble. */
  public final void onSubmit(Trouble trouble) {
    synchronized (asked) {
      submitMishaps.add(new Mishap.Usual(trouble));
    }
  }

  /** The next submit is not taken, and gets this answer. */
  public final void refuseNextSubmit(Answered answer) {
    synchronized (asked) {
      submitMishaps.add(new Mishap.Says(answer, false));
    }
  }

  /** The next submit is taken and billed, and gets this answer all the same, such as a 503. */
  public final void takeNextSubmitAndAnswer(Answered answer) {
    synchronized (asked) {
      submitMishaps.add(new Mishap.Says(answer, true));
    }
  }

  /** Work that is taken from now on is billed but in no list, until {@link #listAll}. */
  public final void hideNewWork() {
    hidesNewWork = true;
  }

  /** Everything that was taken is in the list, and so is what comes. */
  public final void listAll() {
    synchronized (tasks) {
      hidesNewWork = false;
      listedAfter = Duration.ZERO;
      tasks.values().forEach(task -> task.listedAt = Instant.MIN);
    }
  }

  /** Work that is taken from now on appears in the list only so much later, by the clock. */
  public final void listAfter(Duration time) {
    listedAfter = time;
  }

  /** The next request that is no submit gets into trouble. */
  public final void onQuestion(Trouble trouble) {
    synchronized (asked) {
      questionMishaps.add(new Mishap.Usual(trouble));
    }
  }

  /** The next request that is no submit gets this answer, whatever is there. */
  public final void answerNextQuestion(Answered answer) {
    synchronized (asked) {
      questionMishaps.add(new Mishap.Says(answer, false));
    }
  }

  public final void sends(Webhooks kind) {
    webhooks = kind;
  }

  /** From now on work ends by itself, with all the mishaps of a bad day. */
  public final void storm(Storm weather) {
    storm = weather;
  }

  public final void run(String reference, int percent) {
    change(
        reference,
        task -> {
          task.stage = Stage.RUNNING;
          task.percent = percent;
        });
  }

  public final void succeed(String reference) {
    succeed(reference, usualOutput());
  }

  public final void succeed(String reference, JsonNode output) {
    end(reference, task -> succeed(task, output));
  }

  public final void fail(String reference, String error) {
    end(
        reference,
        task -> {
          task.stage = Stage.FAILED;
          task.error = error;
        });
  }

  /** Its safety filter refuses the work. */
  public final void refuse(String reference) {
    fail(reference, refusal());
  }

  public final void abort(String reference) {
    end(reference, task -> task.stage = Stage.ABORTED);
  }

  /** Input and output are forgotten, as some services do after a while. */
  public final void removeData(String reference) {
    change(reference, task -> task.removed = true);
  }

  /** A task of the double's own that stops, if it isn't over. */
  protected final void cancel(OutsideTask task) {
    if (!task.stage.over()) {
      end(task.id(), ending -> ending.stage = Stage.CANCELED);
    }
  }

  private static void succeed(OutsideTask task, JsonNode output) {
    task.stage = Stage.SUCCEEDED;
    task.percent = 100;
    task.output = output;
  }

  /** Takes work in. */
  protected final OutsideTask take(String id, JsonNode request, Optional<String> callback) {
    Instant now = clock.instant();
    OutsideTask task = new OutsideTask(id, request, callback, now);
    Storm weather = storm;
    Storm.@Nullable Plan fate = weather == null ? null : weather.fate();
    Duration hidden = fate == null ? listedAfter : fate.listedAfter();
    synchronized (tasks) {
      task.listedAt = hidesNewWork ? Instant.MAX : now.plus(hidden);
      tasks.put(id, task);
    }
    if (weather != null && fate != null) {
      task.webhooks = fate.webhooks();
      if (task.webhooks != Webhooks.EARLY) {
        weather.after(fate.endsAfter(), () -> succeed(id, weather.output()));
      }
    }
    return task;
  }

  /** To be called between taking work in and answering. */
  protected final void perhapsEndEarly(OutsideTask task) {
    Storm weather = storm;
    if (kind(task) == Webhooks.EARLY) {
      succeed(task.id(), weather == null ? usualOutput() : weather.output());
    }
  }

  protected final Optional<OutsideTask> task(String reference) {
    synchronized (tasks) {
      return Optional.ofNullable(tasks.get(reference));
    }
  }

  /** What a list shows by now, newest first. */
  protected final List<OutsideTask> listed() {
    Instant now = clock.instant();
    synchronized (tasks) {
      return tasks.values().stream()
          .filter(task -> !now.isBefore(task.listedAt))
          .toList()
          .reversed();
    }
  }

  /** How a task may change. */
  @FunctionalInterface
  private interface Change {
    void make(OutsideTask task);
  }

  private OutsideTask change(String reference, Change change) {
    synchronized (tasks) {
      OutsideTask task = Objects.requireNonNull(tasks.get(reference), "no such work");
      change.make(task);
      return task;
    }
  }

  private Webhooks kind(OutsideTask task) {
    return task.webhooks == null ? webhooks : task.webhooks;
  }

  private void end(String reference, Change change) {
    OutsideTask task = change(reference, change);
    int times =
        switch (kind(task)) {
          case NEVER -> 0;
          case ONCE, EARLY -> 1;
          case TWICE -> 2;
        };
    task.callback()
        .map(URI::create)
        .ifPresent(callback -> {
          HttpRequest message = webhook(task, callback);
          for (int i = 0; i < times; i++) {
            deliver(message);
          }
          task.toldAt = times > 0 ? clock.instant() : null;
        });
  }

  private void deliver(HttpRequest message) {
    try {
      client.send(message, BodyHandlers.discarding());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    Asked request =
        new Asked(
            exchange.getRequestMethod(),
            exchange.getRequestURI().getRawPath(),
            Objects.requireNonNullElse(exchange.getRequestURI().getRawQuery(), ""),
            exchange.getRequestHeaders(),
            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    Mishap mishap;
    synchronized (asked) {
      asked.add(request);
      mishap = (isSubmit(request) ? submitMishaps : questionMishaps).poll();
    }
    Storm weather = storm;
    if (mishap == null && weather != null && isSubmit(request)) {
      mishap = weather.mishap();
    }
    if (mishap == null) {
      Misbehaviour.reply(exchange, answer(request));
    } else {
      misbehaviour.show(exchange, mishap, () -> answer(request));
    }
  }

  @Override
  public void close() {
    closing.countDown();
    Storm weather = storm;
    if (weather != null) {
      weather.close();
    }
    server.stop(0);
    client.shutdownNow();
    threads.shutdownNow();
  }
}
