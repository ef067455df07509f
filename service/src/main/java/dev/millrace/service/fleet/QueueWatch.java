package dev.millrace.service.fleet;

import dev.millrace.engine.port.Signal;
import dev.millrace.postgres.jobs.Queues;
import dev.millrace.service.duties.Duty;
import java.util.Set;

/**
 * The slow look behind the wake-ups, once for all polls of this node: which queues that somebody
 * waits for have work, and which workers were revoked lately.
 */
final class QueueWatch implements Duty {

  private final PollRoom room;
  private final Queues queues;

  QueueWatch(PollRoom room, Queues queues) {
    this.room = room;
    this.queues = queues;
  }

  @Override
  public String name() {
    return "queue-look";
  }

  @Override
  public void run() {
    if (room.waiting() == 0) {
      return;
    }
    Set<Integer> watched = room.watched();
    room.tell(
        new Signal(
            watched.isEmpty() ? Set.of() : queues.withWork(watched),
            Set.of(),
            queues.revokedLately(),
            false));
  }
}
