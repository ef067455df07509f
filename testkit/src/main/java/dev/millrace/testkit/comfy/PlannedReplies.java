package dev.millrace.testkit.comfy;

import dev.millrace.testkit.net.Reply;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a test wants the next calls to be answered with. Guarded by the double's lock. */
final class PlannedReplies {

  private final Map<String, Deque<Reply>> replies = new HashMap<>();

  /** The next call of this kind that has none yet gets this one. */
  void add(String call, Reply reply) {
    replies.computeIfAbsent(call, _ -> new ArrayDeque<>()).add(reply);
  }

  /** What this call is answered with, once. */
  Optional<Reply> next(String call) {
    return Optional.ofNullable(replies.getOrDefault(call, new ArrayDeque<>()).poll());
  }

  int left() {
    return replies.values().stream().mapToInt(Deque::size).sum();
  }
}
