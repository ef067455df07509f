/**
 * Credits: wallets, holds, and the ledger lines that move them.
 *
 * <p>Whole numbers in a {@code long}. Every rule is a pure function from what is locked to what is
 * written; none can overflow, mint, or take a balance below zero. At most one reserve, one consume
 * and one refund exist per job and funding.
 */
@NullMarked
package dev.millrace.engine.money;

import org.jspecify.annotations.NullMarked;
