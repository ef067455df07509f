/** A module that nobody has heard of, with null wherever it likes. */
package dev.millrace.architecture.broken.attic;
