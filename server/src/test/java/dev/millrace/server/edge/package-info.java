/**
 * Who is let in from where: the hosts under which the server answers, who reads the metrics, and
 * what every kind of caller gets from every route and page.
 */
@NullMarked
package dev.millrace.server.edge;

import org.jspecify.annotations.NullMarked;
