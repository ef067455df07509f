/**
 * What all pages share: who is signed in, the layout, cookies, words.
 *
 * <p>Called by the pages; knows none of them.
 */
@NullMarked
package dev.millrace.web.console.frame;

import org.jspecify.annotations.NullMarked;
