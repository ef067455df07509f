/**
 * What becomes of the figures: a table for people, JSON for programs, a picture, and a verdict on
 * each target.
 */
@NullMarked
package dev.millrace.bench.report;

import org.jspecify.annotations.NullMarked;
