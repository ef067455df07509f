/** Routes of jobs: submit, look, follow, cancel, retry, review, delete; one or many. */
@NullMarked
package dev.millrace.web.api.job;

import org.jspecify.annotations.NullMarked;
