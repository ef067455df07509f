package dev.millrace.service.transfer;

import de.siegmar.fastcsv.writer.CsvWriter;
import dev.millrace.postgres.transfers.TransferError;
import dev.millrace.postgres.transfers.Transfers;
import dev.millrace.spi.provider.Output;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** What a transfer leaves: its counts, and a file of what was wrong, one line for each row. */
final class TransferReport {

  private static final String FORMULA = "=+-@\t\r";

  private TransferReport() {}

  static List<Output> outputs(
      Transfers transfers, int tenant, UUID id, Counts counts, Map<String, Object> facts) {
    List<Output> outputs = new ArrayList<>();
    byte[] report = JsonMapper.shared().writeValueAsBytes(facts);
    outputs.add(new Output("report.json", "application/json", out -> out.write(report)));
    if (counts.of(Counts.LISTED) > 0) {
      outputs.add(
          new Output(
              "errors.csv",
              "text/csv",
              out -> {
                try (Stream<TransferError> errors = transfers.errors(tenant, id)) {
                  write(errors.iterator(), out);
                }
              }));
    }
    return outputs;
  }

  private static void write(Iterator<TransferError> errors, OutputStream out) throws IOException {
    CsvWriter csv = CsvWriter.builder().build(out, StandardCharsets.UTF_8);
    csv.writeRecord("line", "column", "message");
    while (errors.hasNext()) {
      TransferError error = errors.next();
      csv.writeRecord(
          Long.toString(error.line()),
          harmless(error.field() == null ? "" : error.field()),
          harmless(error.message()));
    }
    // The stream is whoever's who asked for the content.
    csv.flush();
  }

  /** A cell that a spreadsheet would take for a formula is a text with a mark before it. */
  private static String harmless(String cell) {
    return !cell.isEmpty() && FORMULA.indexOf(cell.charAt(0)) >= 0 ? "'" + cell : cell;
  }
}
