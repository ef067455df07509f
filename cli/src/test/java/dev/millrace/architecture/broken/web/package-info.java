/** A web layer with its own SQL, the web server in the wrong place and a cycle of packages. */
@NullMarked
package dev.millrace.architecture.broken.web;

import org.jspecify.annotations.NullMarked;
