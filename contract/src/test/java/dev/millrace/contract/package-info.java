/** Tests of the words that all sides of the contract share, such as media types. */
@NullMarked
package dev.millrace.contract;

import org.jspecify.annotations.NullMarked;
