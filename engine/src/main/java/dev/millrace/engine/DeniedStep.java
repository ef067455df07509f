package dev.millrace.engine;

import dev.millrace.engine.lifecycle.Lifecycle;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;

/** What somebody tried with a job whose state has no way there. */
public sealed interface DeniedStep {

  /** What was tried, in a word. */
  String label();

  /** Where it would have led, in a word. */
  String target();

  /** A step of the lifecycle. */
  record Transition(Trigger trigger) implements DeniedStep {

    @Override
    public String label() {
      return trigger.label();
    }

    @Override
    public String target() {
      return Lifecycle.target(trigger).label();
    }
  }

  /** To delete it, which is no state. */
  record Deletion() implements DeniedStep {

    @Override
    public String label() {
      return "delete";
    }

    @Override
    public String target() {
      return "deleted";
    }
  }

  /** To have the same once more, as a new job. */
  record Retry() implements DeniedStep {

    @Override
    public String label() {
      return "retry";
    }

    @Override
    public String target() {
      return State.QUEUED.label();
    }
  }
}
