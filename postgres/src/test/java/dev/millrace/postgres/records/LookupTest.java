package dev.millrace.postgres.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class LookupTest {

  /** Knows the even numbers, and answers in an order of its own. */
  private static List<Lookup.Found<String>> even(List<Integer> numbers) {
    List<Lookup.Found<String>> found = new ArrayList<>();
    for (int place = numbers.size(); place >= 1; place--) {
      int number = numbers.get(place - 1);
      if (number < 0) {
        throw new IllegalArgumentException("negative");
      }
      if (number % 2 == 0) {
        found.add(new Lookup.Found<>(place, "number " + number));
      }
    }
    return found;
  }

  @Test
  void each_of_many_gets_its_own_answer() throws Exception {
    try (Lookup<Integer, String> lookup = new Lookup<>("test", LookupTest::even);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Optional<String>>> answers = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        int number = i;
        answers.add(threads.submit(() -> lookup.find(number)));
      }
      for (int i = 0; i < 1_000; i++) {
        assertThat(answers.get(i).get())
            .isEqualTo(i % 2 == 0 ? Optional.of("number " + i) : Optional.empty());
      }
    }
  }

  @Test
  void what_goes_wrong_reaches_who_asked() {
    try (Lookup<Integer, String> lookup = new Lookup<>("test", LookupTest::even)) {
      assertThatThrownBy(() -> lookup.find(-1)).hasMessage("negative");
      assertThat(lookup.find(2)).contains("number 2");
    }
  }
}
