/** A layer of use cases that knows who calls it, which no rule may miss. */
@NullMarked
package dev.millrace.architecture.broken.service;

import org.jspecify.annotations.NullMarked;
