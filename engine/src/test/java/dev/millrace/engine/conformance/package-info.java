/**
 * What every store must do behind {@link dev.millrace.engine.port.Transaction}, said once and run
 * on each of them: the in-memory twin, which the simulation trusts, and PostgreSQL.
 *
 * <p>Everything is done through the port. Rows are made by the engine's own batches, so that the
 * laws and the doctor may look at them afterwards.
 */
@NullMarked
package dev.millrace.engine.conformance;

import org.jspecify.annotations.NullMarked;
