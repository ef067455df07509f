package dev.millrace.service.requests;

import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.files.Files;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.jobs.Jobs;
import dev.millrace.postgres.requests.RequestListView;
import dev.millrace.postgres.requests.RequestLists;
import dev.millrace.postgres.requests.RequestLists.Line;
import dev.millrace.service.access.TenantSlugs;
import dev.millrace.service.files.FileUploads;
import dev.millrace.service.requests.RequestLines.Answer;
import dev.millrace.storage.MediaType;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Writes what came of a list: one line for each of its own, in one file or the other. */
public final class ListResults {

  private static final int PAGE = 500;

  private final RequestLists lists;
  private final Jobs jobs;
  private final Files files;
  private final FileUploads uploads;
  private final TenantSlugs slugs;

  public ListResults(
      RequestLists lists, Jobs jobs, Files files, FileUploads uploads, TenantSlugs slugs) {
    this.lists = lists;
    this.jobs = jobs;
    this.files = files;
    this.uploads = uploads;
    this.slugs = slugs;
  }

  /**
   * Written twice after a crash; the files of the first time are nobody's, and the list names the
   * last.
   */
  void write(RequestListView list, RequestLines lines) throws IOException {
    Path good = java.nio.file.Files.createTempFile("millrace-list-", ".jsonl");
    Path bad = java.nio.file.Files.createTempFile("millrace-list-", ".jsonl");
    try {
      int done = 0;
      int refused = 0;
      try (BufferedWriter out = java.nio.file.Files.newBufferedWriter(good);
          BufferedWriter errors = java.nio.file.Files.newBufferedWriter(bad)) {
        List<Line> page = lists.lines().page(list, 0, PAGE);
        while (!page.isEmpty()) {
          Page ended = page(list, page);
          for (Line line : page) {
            Answer answer = answer(list, lines, line, ended);
            boolean fine = answer.status() / 100 == 2;
            done += fine ? 1 : 0;
            refused += fine ? 0 : 1;
            BufferedWriter to = fine ? out : errors;
            to.write(json(list, line, answer).toString());
            to.write('\n');
          }
          page = lists.lines().page(list, page.getLast().line(), PAGE);
        }
      }
      lists.end(
          list,
          new RequestLists.Counts(done, refused),
          done == 0 ? null : store(list, lines, good, false),
          refused == 0 ? null : store(list, lines, bad, true));
    } finally {
      java.nio.file.Files.deleteIfExists(good);
      java.nio.file.Files.deleteIfExists(bad);
    }
  }

  /** The jobs of some lines with what they made. */
  private record Page(Map<UUID, JobView> jobs, Map<UUID, List<FileView>> outputs) {}

  private Page page(RequestListView list, List<Line> lines) {
    List<UUID> ids = lines.stream().map(Line::jobId).filter(Objects::nonNull).toList();
    return new Page(
        jobs.all(list.tenantId(), ids).stream()
            .collect(Collectors.toMap(JobView::id, Function.identity())),
        files.ofJobs(list.tenantId(), ids).stream()
            .filter(file -> file.jobId() != null)
            .collect(Collectors.groupingBy(FileView::jobId)));
  }

  private static Answer answer(RequestListView list, RequestLines lines, Line line, Page page) {
    if (line.jobId() == null) {
      ObjectNode stored = (ObjectNode) JsonMapper.shared().readTree(line.refusal());
      return new Answer(stored.path("status").asInt(), (ObjectNode) stored.path("body"));
    }
    JobView job = page.jobs().get(line.jobId());
    if (job == null) {
      ObjectNode gone = JsonMapper.shared().createObjectNode();
      gone.putObject("error").put("message", "The job was deleted.").put("code", "job_deleted");
      return new Answer(410, gone);
    }
    return lines.ended(list, job, page.outputs().getOrDefault(job.id(), List.of()));
  }

  private static ObjectNode json(RequestListView list, Line line, Answer answer) {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("id", "batch_req_%s_%d".formatted(list.id(), line.line()));
    json.put("custom_id", line.customId());
    ObjectNode response = json.putObject("response");
    response.put("status_code", answer.status());
    response.put("request_id", line.jobId() == null ? "" : line.jobId().toString());
    response.set("body", answer.body());
    json.putNull("error");
    return json;
  }

  private @Nullable UUID store(RequestListView list, RequestLines lines, Path file, boolean errors)
      throws IOException {
    String name = "batch_%s_%s.jsonl".formatted(list.id(), errors ? "error" : "output");
    FileUploads.Answer<FileUploads.Brought> answer =
        uploads.bring(
            new FileUploads.Wish(
                list.tenantId(),
                slugs.apply(list.tenantId()),
                list.owner().userId(),
                name,
                MediaType.BINARY,
                java.nio.file.Files.size(file),
                null,
                list.owner().workspace()),
            lines.notes(name, errors),
            out -> java.nio.file.Files.copy(file, out));
    return switch (answer) {
      case FileUploads.Answer.Given<FileUploads.Brought>(var brought) -> brought.id();
      case FileUploads.Answer.TooMany<FileUploads.Brought>() ->
          throw new IOException("too many files wait to be confirmed");
      case FileUploads.Answer.NoRoom<FileUploads.Brought>(_) ->
          throw new IOException("there is no room for the results");
    };
  }
}
