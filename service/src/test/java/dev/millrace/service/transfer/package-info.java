/** Tests of handing items and rows over, without a server. */
@NullMarked
package dev.millrace.service.transfer;

import org.jspecify.annotations.NullMarked;
