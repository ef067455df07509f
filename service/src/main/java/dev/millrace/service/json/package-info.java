/**
 * How the use cases read and write JSON where the usual way, {@code JsonMapper.shared()}, is not
 * enough. It knows no other package of this module.
 */
@NullMarked
package dev.millrace.service.json;

import org.jspecify.annotations.NullMarked;
