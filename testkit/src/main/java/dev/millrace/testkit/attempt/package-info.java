/** An attempt at a job as tests of providers hold it: it remembers reports and can be canceled. */
@org.jspecify.annotations.NullMarked
package dev.millrace.testkit.attempt;
