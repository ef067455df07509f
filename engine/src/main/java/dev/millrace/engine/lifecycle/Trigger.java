package dev.millrace.engine.lifecycle;

import java.util.Locale;

/** What makes a job move. */
public enum Trigger {
  SUBMIT,
  DUE,
  LEASE,
  POLICY_RECHECK,
  PROVIDER_ACCEPTED,
  SUBMIT_UNCONFIRMED,
  REQUEUE,
  LEASE_LOST,
  RETRYABLE_ERROR,
  PERMANENT_ERROR,
  COMPLETE,
  SAFETY_FILTER,
  APPROVE,
  DECLINE,
  CANCEL,
  CANCEL_ACKNOWLEDGED,
  GRACE_OVER,
  DEADLINE,
  RETRY_IN_PLACE;

  private final String label = name().toLowerCase(Locale.ROOT);

  public String label() {
    return label;
  }
}
