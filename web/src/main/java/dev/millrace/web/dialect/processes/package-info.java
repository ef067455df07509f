/**
 * The dialect {@code processes}: {@code /api/processes}, to list, watch, retry and cancel what runs
 * for long.
 *
 * <p>Every job is a process, whoever asked for it. Its type is what its effect is called: {@code
 * processes/csv-location-import} is of the type {@code csv_location_import}.
 */
@NullMarked
package dev.millrace.web.dialect.processes;

import org.jspecify.annotations.NullMarked;
