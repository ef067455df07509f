package dev.millrace.providers.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import dev.millrace.spi.provider.Work;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ItemsProviderTest {

  private record Asked(Map<String, Object> input) implements Work {
    @Override
    public String jobId() {
      return "job";
    }

    @Override
    public int attempt() {
      return 1;
    }

    @Override
    public void progress(int percent, String step, String message) {}

    @Override
    public boolean canceled() {
      return false;
    }
  }

  private static List<String> items(Map<String, Object> input) throws IOException {
    Outcome outcome = new ItemsProvider(null).execute(new Asked(input));
    assertThat(outcome).isInstanceOf(Outcome.Succeeded.class);
    List<String> items = new ArrayList<>();
    for (Output output : ((Outcome.Succeeded) outcome).outputs()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      output.content().writeTo(bytes);
      items.add(bytes.toString(StandardCharsets.UTF_8));
    }
    return items;
  }

  @Test
  void without_a_service_the_same_wish_makes_the_same_items_which_say_what_they_are()
      throws IOException {
    Map<String, Object> wish = Map.of("prompt", "Museums in Lisbon", "count", 3);
    List<String> items = items(wish);
    assertThat(items).hasSize(3).doesNotHaveDuplicates().isEqualTo(items(wish));
    assertThat(items).allMatch(item -> item.contains("made without a model"));
    assertThat(items(Map.of("prompt", "parks", "count", 1, "fields", List.of("name", "url"))))
        .containsExactly("{\"name\":\"parks 1\",\"url\":\"url 1\"}");
  }

  @Test
  void records_are_improved_one_by_one_and_keep_their_id() throws IOException {
    assertThat(
            items(
                Map.of("prompt", "tidy up", "records", List.of(Map.of("id", 7), Map.of("id", 8)))))
        .containsExactly("{\"id\":7,\"tags\":[\"tidy\"]}", "{\"id\":8,\"tags\":[\"tidy\"]}");
  }

  @Test
  void a_wish_that_makes_no_sense_fails_for_good() {
    for (Map<String, Object> wish :
        List.<Map<String, Object>>of(
            Map.of(),
            Map.of("prompt", "x", "count", 101),
            Map.of("prompt", "x", "fields", List.of()),
            Map.of("prompt", "x", "records", List.of("text")))) {
      assertThat(new ItemsProvider(null).execute(new Asked(wish)))
          .isInstanceOf(Outcome.Failed.class);
    }
  }
}
