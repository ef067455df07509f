package dev.millrace.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.ApiProblem;
import dev.millrace.cli.api.UnreachableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitCodeTest {

  @ParameterizedTest
  @CsvSource({
    "completed, 0",
    "failed, 3",
    "dead_letter, 3",
    "expired, 3",
    "rejected, 4",
    "blocked, 4",
    "canceled, 9",
    "waiting_review, 11",
    "running, 1",
  })
  void each_end_of_a_job_has_its_code(String state, int code) {
    assertThat(ExitCode.ofJobState(state).code()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource({
    "401, unauthenticated, 6",
    "403, forbidden, 6",
    "404, not_found, 7",
    "405, method_not_allowed, 2",
    "410, job_deleted, 2",
    "410, history_archived, 7",
    "412, already_uploaded, 2",
    "415, unsupported_media_type, 2",
    "400, malformed_json, 2",
    "422, invalid_request, 2",
    "422, idempotency_mismatch, 2",
    "402, insufficient_credits, 5",
    "409, transition_denied, 2",
    "422, blocked, 4",
    "429, too_many_active_jobs, 4",
    "503, overloaded, 8",
    "503, outcome_unknown, 8",
    "500, internal, 1",
  })
  void each_refusal_has_its_code(int status, String problem, int code) {
    assertThat(
            ExitCode.ofProblem(new ApiProblem(status, problem, "", List.of(), ApiJson.object()))
                .code())
        .isEqualTo(code);
  }

  /** What the caller can mend must not look like a bug of ours. */
  @Test
  void only_a_fault_of_the_server_is_unexpected() throws IOException {
    String guide = Files.readString(Path.of("..", "docs", "api.md"));
    List<MatchResult> rows =
        Pattern.compile("(?m)^\\| `([a-z_]+)` \\| ([0-9]{3}) \\|")
            .matcher(guide)
            .results()
            .toList();
    assertThat(rows).hasSizeGreaterThan(50);
    for (MatchResult row : rows) {
      int status = Integer.parseInt(row.group(2));
      ExitCode exit =
          ExitCode.ofProblem(new ApiProblem(status, row.group(1), "", List.of(), ApiJson.object()));
      assertThat(exit == ExitCode.INTERNAL)
          .as(row.group(1))
          .isEqualTo(status == 500 || status == 501 || status == 505);
    }
  }

  @Test
  void the_codes_are_all_different_and_all_explained() {
    assertThat(ExitCode.meanings()).hasSameSizeAs(ExitCode.values());
    assertThat(ExitCode.TIMEOUT.code()).isEqualTo(124);
    assertThat(ExitCode.INTERRUPTED.code()).isEqualTo(130);
  }

  @Test
  void trouble_without_an_answer_is_unreachable_and_a_bug_is_internal() {
    assertThat(Complaint.of(new UnreachableException("gone")).exit())
        .isEqualTo(ExitCode.UNREACHABLE);
    assertThat(Complaint.of(new IllegalStateException("bug")).exit()).isEqualTo(ExitCode.INTERNAL);
    assertThat(Complaint.of(new InterruptedException()).exit()).isEqualTo(ExitCode.INTERRUPTED);
  }
}
