package dev.millrace.service.requests;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.port.Changes.Links;
import dev.millrace.postgres.files.Files;
import dev.millrace.postgres.requests.RequestListView;
import dev.millrace.postgres.requests.RequestLists;
import dev.millrace.postgres.requests.RequestLists.Line;
import dev.millrace.postgres.tenants.Visibility;
import dev.millrace.service.duties.Duty;
import dev.millrace.service.jobs.JobSubmission;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.storage.ObjectStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/** Works lists off, each a stretch at a time, so that one long list holds up no other. */
public final class RequestListRunner implements Duty {

  public static final Duration PAUSE = Duration.ofMillis(500);

  static final int MOST_LINES = 50_000;
  private static final int MOST_MISTAKES = 20;
  private static final Duration LEASE = Duration.ofSeconds(60);
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final int STRETCH = 2_000;
  private static final int CHUNK = 50;
  private static final int MOST_AT_ONCE = 500;

  private final RequestLists lists;
  private final Files files;
  private final ObjectStore store;
  private final JobSubmission submission;
  private final Engine engine;
  private final ListResults results;
  private final Map<String, RequestLines> dialects = new ConcurrentHashMap<>();

  public RequestListRunner(
      RequestLists lists,
      Files files,
      ObjectStore store,
      JobSubmission submission,
      Engine engine,
      ListResults results) {
    this.lists = lists;
    this.files = files;
    this.store = store;
    this.submission = submission;
    this.engine = engine;
    this.results = results;
  }

  /** From now on lists that were brought by this dialect are worked off. */
  public void read(String dialect, RequestLines lines) {
    dialects.put(dialect, lines);
  }

  /** What was not begun of it is not begun any more. */
  public void cancel(int tenant, UUID list) {
    lists.stop(tenant, list, "canceled");
  }

  @Override
  public String name() {
    return "request-lists";
  }

  @Override
  public void run() throws InterruptedException {
    if (dialects.isEmpty()) {
      return; // Before a dialect says so, nobody knows what a line means.
    }
    Optional<RequestListView> claimed = lists.claim(UUID.randomUUID(), LEASE);
    while (claimed.isPresent()) {
      RequestLines lines = dialects.get(claimed.get().request().dialect());
      if (lines != null) {
        try {
          work(claimed.get(), lines);
        } catch (IOException e) {
          throw ObjectStoreException.of("read or write a list of requests", e);
        }
      }
      claimed = lists.claim(UUID.randomUUID(), LEASE);
    }
  }

  private void work(RequestListView list, RequestLines lines)
      throws IOException, InterruptedException {
    switch (list.progress().state()) {
      case "validating" -> validate(list);
      case "in_progress" -> submit(list, lines);
      case "canceling" -> cancel(list);
      case "finalizing" -> {
        results.write(list, lines);
        lists.rest(list, SOON);
      }
      default -> throw new IllegalStateException("no such state: " + list.progress().state());
    }
  }

  private Optional<LineFile> open(RequestListView list) {
    return files
        .find(Visibility.of(list.tenantId()), list.request().inputFile())
        .flatMap(file -> store.open(file.keys().key()))
        .map(ObjectStream::stream)
        .map(LineFile::new);
  }

  private void validate(RequestListView list) throws IOException {
    ArrayNode mistakes = JsonMapper.shared().createArrayNode();
    int number = 0;
    LineReader reader = new LineReader(list.request().endpoint());
    Optional<LineFile> opened = open(list);
    if (opened.isEmpty()) {
      mistake(mistakes, new LineReader.Mistake("invalid_file", "The file is gone.", null), 0);
    } else {
      try (LineFile in = opened.get()) {
        for (Optional<LineFile.Line> line = in.next();
            line.isPresent() && mistakes.size() < MOST_MISTAKES;
            line = in.next()) {
          if (line.get().blank()) {
            continue;
          }
          number++;
          if (number > MOST_LINES) {
            String text = "The file has more than %d lines.".formatted(MOST_LINES);
            mistake(mistakes, new LineReader.Mistake("too_many_lines", text, null), number);
            break;
          }
          int at = number;
          reader.mistake(line.get()).ifPresent(wrong -> mistake(mistakes, wrong, at));
        }
      }
    }
    if (number == 0 && mistakes.isEmpty()) {
      mistake(mistakes, new LineReader.Mistake("empty_file", "The file has no lines.", null), 0);
    }
    if (mistakes.isEmpty()) {
      lists.begin(list, number);
      lists.rest(list, Duration.ZERO);
    } else {
      lists.fail(list, mistakes.toString());
    }
  }

  private static void mistake(ArrayNode mistakes, LineReader.Mistake wrong, int line) {
    var json = mistakes.addObject();
    json.put("code", wrong.code()).put("message", wrong.message()).put("param", wrong.param());
    if (line > 0) {
      json.put("line", line);
    } else {
      json.putNull("line");
    }
  }

  private void submit(RequestListView list, RequestLines lines)
      throws IOException, InterruptedException {
    if (lists.expired(list)) {
      lists.stop(list.tenantId(), list.id(), "expired");
      return;
    }
    int lineCount = list.progress().lines() == null ? 0 : list.progress().lines();
    if (list.progress().readLines() < lineCount) {
      Optional<LineFile> opened = open(list);
      if (opened.isEmpty()) {
        // Whoever deleted it wants no more of it.
        lists.stop(list.tenantId(), list.id(), "canceled");
        return;
      }
      try (LineFile in = opened.get()) {
        boolean on = stretch(list, lines, in);
        lists.rest(list, on ? Duration.ZERO : SOON);
      }
    } else if (lists.lines().live(list, 1).isEmpty()) {
      lists.finalizing(list);
      lists.rest(list, Duration.ZERO);
    } else {
      lists.rest(list, SOON);
    }
  }

  /** Submits some of the lines; false if more can't be submitted now. */
  private boolean stretch(RequestListView list, RequestLines lines, LineFile in)
      throws IOException, InterruptedException {
    LineReader reader = new LineReader(list.request().endpoint());
    List<Line> made = new ArrayList<>();
    int number = 0;
    for (Optional<LineFile.Line> line = in.next(); line.isPresent(); line = in.next()) {
      if (line.get().blank()) {
        continue;
      }
      number++;
      if (number <= list.progress().readLines()) {
        continue;
      }
      Optional<Line> answered = submit(list, lines, reader.read(line.get()), number);
      if (answered.isEmpty()) {
        lists.advance(list, made, number - 1, LEASE);
        return false;
      }
      made.add(answered.get());
      if (made.size() == CHUNK) {
        if (!lists.advance(list, made, number, LEASE)) {
          return true;
        }
        made.clear();
      }
      if (number - list.progress().readLines() == STRETCH) {
        break;
      }
    }
    lists.advance(list, made, number, LEASE);
    return true;
  }

  /** What a line comes to; empty if that can't be said now, and it is to be tried again. */
  private Optional<Line> submit(
      RequestListView list, RequestLines lines, LineReader.Named named, int number)
      throws InterruptedException {
    String key = "request-list:" + list.id() + ":" + number;
    return switch (lines.read(list, named.body(), key)) {
      case RequestLines.Reading.Refused(var answer) -> Optional.of(refused(number, named, answer));
      case RequestLines.Reading.Wanted(var request) -> {
        Optional<JobSubmission.Outcome> earlier =
            submission.earlier(list.tenantId(), request, Links.NONE);
        JobSubmission.Outcome outcome =
            earlier.isPresent()
                ? earlier.get()
                : switch (submission.prepare(list.tenantId(), request, Links.NONE)) {
                  case JobSubmission.Prepared.Stopped(var stopped) -> stopped;
                  case JobSubmission.Prepared.Ready(var command, _) ->
                      new JobSubmission.Outcome.Decided(engine.submit(command));
                };
        yield line(lines, outcome, named, number);
      }
    };
  }

  private static Optional<Line> line(
      RequestLines lines, JobSubmission.Outcome outcome, LineReader.Named named, int number) {
    return switch (outcome) {
      case JobSubmission.Outcome.Decided(SubmitJob.Result.Accepted(var job)) ->
          Optional.of(new Line(number, named.customId(), job.id().uuid(), null));
      case JobSubmission.Outcome.Decided(SubmitJob.Result.Replayed(var job)) ->
          Optional.of(new Line(number, named.customId(), job.uuid(), null));
      case JobSubmission.Outcome.Decided(SubmitJob.Result.TooManyActive _),
          JobSubmission.Outcome.Decided(SubmitJob.Result.QuotaUsedUp _),
          JobSubmission.Outcome.Undecided _ ->
          Optional.empty();
      default -> Optional.of(refused(number, named, lines.refused(outcome)));
    };
  }

  private static Line refused(int number, LineReader.Named named, RequestLines.Answer answer) {
    var json = JsonMapper.shared().createObjectNode().put("status", answer.status());
    json.set("body", answer.body());
    return new Line(number, named.customId(), null, json.toString());
  }

  private void cancel(RequestListView list) throws InterruptedException {
    List<UUID> live = lists.lines().live(list, MOST_AT_ONCE);
    for (UUID job : live) {
      engine.report(new Report.Cancel(new JobId(list.tenantId(), job)));
    }
    if (live.isEmpty()) {
      lists.finalizing(list);
    }
    lists.rest(list, live.isEmpty() ? Duration.ZERO : SOON);
  }
}
