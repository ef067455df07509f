/**
 * A server that plays the HTTP API from a script, and a way to run whole commands against it. Only
 * tests of the command line use it; the real server is met in the end-to-end tests.
 */
@NullMarked
package dev.millrace.cli.fake;

import org.jspecify.annotations.NullMarked;
