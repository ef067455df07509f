/**
 * The console over HTTP, and in a real browser: Chromium, driven by Playwright. One server and one
 * browser serve a whole class of stories, because both take a while to start.
 */
@NullMarked
package dev.millrace.server.console;

import org.jspecify.annotations.NullMarked;
