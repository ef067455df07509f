package dev.millrace.contract.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fields of a document are judged by their names too. */
class NamedFieldsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          password      | hunter2            | [secret]
          api_key       | abc                | [secret]
          X-Api-Key     | abc                | [secret]
          accessToken   | short              | [secret]
          db.passwd     | 1234               | [secret]
          host          | gpu-17             | [host]
          api_key       | [secret]           | [secret]
          model         | sd-xl              | sd-xl
          eos_token     | end                | end
          token         | 3/20               | 3/20
          keyboard      | qwertz             | qwertz
          note          | password=hunter2   | password=[secret]
          """)
  void a_value_is_shown_unless_its_name_or_its_look_forbids_it(
      String name, String value, String shown) {
    assertThat(OwnerText.field(name, value, 100)).isEqualTo(shown);
  }

  @Test
  void an_empty_value_tells_nothing_and_stays() {
    assertThat(OwnerText.field("password", "", 100)).isEmpty();
  }
}
