package dev.millrace.engine.lifecycle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What the table must say, written a second time so that a slip in either place is seen. */
final class DesignTable {

  /** One line; its cells are as in {@link #TEXT}. */
  record Line(
      List<String> from, List<String> to, List<String> triggers, String money, List<String> who) {}

  // spotless:off
  private static final String TEXT = """
      none                                             | queued pending | submit                         | reserve                       | client
      none                                             | blocked        | submit                         | none                          | system
      pending                                          | queued         | due                            | keep                          | system
      pending queued                                   | running        | lease                          | keep                          | worker
      queued pending                                   | rejected       | policy_recheck                 | refund                        | moderator
      running                                          | submitted      | provider_accepted              | keep                          | executor
      running                                          | submitted      | submit_unconfirmed             | keep                          | executor
      running                                          | queued         | requeue lease_lost             | keep                          | worker reaper
      running submitted                                | pending        | retryable_error                | keep                          | worker collector
      running submitted                                | dead_letter    | retryable_error lease_lost     | refund                        | worker collector reaper
      running                                          | dead_letter    | requeue                        | refund                        | worker
      running submitted                                | failed         | permanent_error                | refund                        | worker collector
      running submitted                                | completed      | complete                       | consume                       | worker collector
      running submitted                                | waiting_review | complete                       | keep                          | worker collector
      running submitted                                | rejected       | safety_filter                  | consume_unless_effect_refunds | worker collector
      waiting_review                                   | completed      | approve                        | consume                       | reviewer
      waiting_review                                   | rejected       | decline                        | refund_unless_effect_consumes | reviewer
      pending queued waiting_review                    | canceled       | cancel                         | refund                        | owner admin
      running submitted                                | canceling      | cancel                         | keep                          | owner admin
      canceling                                        | canceled       | cancel_acknowledged grace_over | refund_less_metered_use       | worker collector reaper
      canceling                                        | completed      | complete                       | consume                       | worker collector
      canceling                                        | rejected       | safety_filter                  | consume_unless_effect_refunds | worker collector
      pending queued running submitted waiting_review canceling | expired | deadline                    | refund                        | reaper
      failed dead_letter expired                       | pending        | retry_in_place                 | reserve                       | admin
      """;
  // spotless:on

  private DesignTable() {}

  static List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    for (String text : TEXT.lines().toList()) {
      List<String> cells = Arrays.stream(text.split("\\|", -1)).map(String::strip).toList();
      lines.add(
          new Line(
              words(cells.get(0)),
              words(cells.get(1)),
              words(cells.get(2)),
              cells.get(3),
              words(cells.get(4))));
    }
    return lines;
  }

  /** Every step the lines stand for, as {@code from trigger to money}. */
  static Set<String> steps() {
    Set<String> steps = new LinkedHashSet<>();
    for (Line line : lines()) {
      for (String from : line.from()) {
        for (String trigger : line.triggers()) {
          line.to().forEach(to -> steps.add(String.join(" ", from, trigger, to, line.money())));
        }
      }
    }
    return steps;
  }

  private static List<String> words(String cell) {
    return List.of(cell.split(" +", -1));
  }
}
