/** What the scenarios share: the load, its sizes, and the check that nothing was lost. */
@NullMarked
package dev.millrace.bench.load;

import org.jspecify.annotations.NullMarked;
