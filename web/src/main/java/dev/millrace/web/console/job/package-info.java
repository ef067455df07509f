/** Pages of jobs: the list, one job, review. */
@NullMarked
package dev.millrace.web.console.job;

import org.jspecify.annotations.NullMarked;
