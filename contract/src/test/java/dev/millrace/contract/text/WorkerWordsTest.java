package dev.millrace.contract.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an owner reads of a worker's error. */
class WorkerWordsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"exception_message": "CUDA out of memory", "node_id": "3"} | CUDA out of memory
          {"data": {"error_message": "no such model"}}                | no such model
          prompt failed: {"exception_message": "bad \\"seed\\""       | bad "seed"
          {"traceback": ["a", "b"]}                                   | Processing failed.
          [1, 2, 3]                                                   | Processing failed.
          `  `                                                        | Processing failed.
          disk full                                                   | disk full
          `Traceback (most recent call last):
            File "x.py", line 1
          ValueError: too small`                                      | ValueError: too small
          GET https://s3.example/a?X-Amz-Signature=abc failed         | GET [url] failed
          used Bearer abc.def for it                                  | used [secret] for it
          token mrw_abcDEF123 was refused                             | token [secret] was refused
          """)
  void one_plain_line_is_kept(String raw, String shown) {
    assertThat(OwnerText.error(raw)).isEqualTo(shown);
  }
}
