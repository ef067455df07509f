/**
 * How jobs are run: the loop that asks for them, the lease that is kept alive beside each, and the
 * report at the end.
 *
 * <p>Three laws. A job whose lease may have ended isn't touched any more. Whatever happens, an
 * attempt's files go away. And everything that is told to the server is told again until it is
 * heard, as long as the lease lives.
 */
@NullMarked
package dev.millrace.worker.run;

import org.jspecify.annotations.NullMarked;
