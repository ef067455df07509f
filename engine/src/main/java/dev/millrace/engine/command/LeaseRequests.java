package dev.millrace.engine.command;

import dev.millrace.engine.port.Transaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Those of a batch who ask for work, how much each can still take, and whose turn it is. */
final class LeaseRequests {

  private final List<LeaseJobs> commands;
  private final SortedSet<String> enrolled = new TreeSet<>();
  private final Map<String, Integer> slots = new HashMap<>();
  private final Map<Integer, Integer> given = new HashMap<>();
  private int turn;

  LeaseRequests(List<LeaseJobs> commands) {
    this.commands = commands;
    for (LeaseJobs command : commands) {
      if (command.enrolled()) {
        enrolled.add(command.worker());
        slots.merge(command.worker(), command.max(), Integer::sum);
      }
    }
  }

  /** Locks those that are enrolled, so that no other node fills the same slots. */
  Transaction.Offered ask(Transaction tx) {
    Transaction.Offered offered = tx.offer(enrolled, limits());
    slots.clear();
    slots.putAll(offered.slots());
    return offered;
  }

  /** How many jobs of each workflow could be given away now. */
  SortedMap<Integer, Integer> limits() {
    SortedMap<Integer, Integer> limits = new TreeMap<>();
    for (int asker = 0; asker < commands.size(); asker++) {
      int room = room(asker);
      if (room > 0) {
        commands.get(asker).workflowIds().forEach(id -> limits.merge(id, room, Integer::sum));
      }
    }
    return limits;
  }

  /** The next asker, from whose turn it is on, that knows the workflow and has room; or -1. */
  int next(int workflowId) {
    int askers = commands.size();
    for (int step = 0; step < askers; step++) {
      int asker = (turn + step) % askers;
      if (room(asker) > 0 && commands.get(asker).workflowIds().contains(workflowId)) {
        return asker;
      }
    }
    return -1;
  }

  private int room(int asker) {
    LeaseJobs command = commands.get(asker);
    int wanted = command.max() - given.getOrDefault(asker, 0);
    return command.enrolled() ? Math.min(wanted, slots.getOrDefault(command.worker(), 0)) : wanted;
  }

  /** The asker gets one job. */
  void give(int asker) {
    given.merge(asker, 1, Integer::sum);
    slots.computeIfPresent(commands.get(asker).worker(), (_, free) -> free - 1);
    turn = asker + 1;
  }
}
