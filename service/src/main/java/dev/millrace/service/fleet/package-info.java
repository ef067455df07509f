/**
 * The control plane of pull workers: who is in the fleet, what each may take, the polls that wait
 * for work, and what workers report. A worker is known by its token, of which only a hash is
 * stored. It is given only workflows that it is assigned to, only of providers that it names, and
 * never more jobs than it has slots: the engine decides that under a lock. What nodes remember of a
 * worker is a few seconds old at most, and only saves looking. Calls take values and answer with
 * sealed results; what a refusal is called outside is the callers' business.
 */
@NullMarked
package dev.millrace.service.fleet;

import org.jspecify.annotations.NullMarked;
