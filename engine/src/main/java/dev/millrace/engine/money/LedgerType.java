package dev.millrace.engine.money;

import java.util.Locale;

/** Why a line stands in the ledger. */
public enum LedgerType {
  PAYMENT_CREDIT,
  JOB_RESERVE,
  /** Moves nothing; it carries what was captured of the hold. */
  JOB_CONSUME,
  JOB_REFUND,
  ADJUSTMENT;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
