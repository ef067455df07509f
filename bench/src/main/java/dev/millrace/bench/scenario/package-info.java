/**
 * What is measured, a letter each. A scenario writes its figures on a sheet of its own, which
 * counts only if the doctor finds nothing wrong with what the measure left behind.
 */
@NullMarked
package dev.millrace.bench.scenario;

import org.jspecify.annotations.NullMarked;
