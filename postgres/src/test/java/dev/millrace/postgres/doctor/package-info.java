/** Every law holds on what the engine wrote, and is able to fail. */
@NullMarked
package dev.millrace.postgres.doctor;

import org.jspecify.annotations.NullMarked;
