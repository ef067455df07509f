package dev.millrace.service.guard;

/** What happens while the moderation service gives no good answer. */
public enum ModerationFailure {
  /** Jobs are refused for now. */
  CLOSED,
  /** Jobs pass unjudged, with a warning in the log. */
  OPEN
}
