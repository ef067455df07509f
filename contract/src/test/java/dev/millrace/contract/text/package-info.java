/** What owners may read, tried with ordinary, hostile and arbitrary texts. */
@NullMarked
package dev.millrace.contract.text;

import org.jspecify.annotations.NullMarked;
