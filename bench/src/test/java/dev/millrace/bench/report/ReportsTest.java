package dev.millrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bench.measure.Sheet;
import java.io.StringReader;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportsTest {

  private final Sheet sheet = new Sheet();

  @BeforeEach
  void measure() {
    sheet.add("b.256.per_s", "engine & lanes <fast>", 5_400.5, "jobs/s");
    sheet.add("b.256.submit.p50_ms", "engine: submit p50", 0.004, "ms");
    sheet.add("g.idle_kib", "idle stream", 12.25, "KiB");
    sheet.note("No pgbench here.");
  }

  @Test
  void the_picture_is_xml_whatever_the_labels_say() throws Exception {
    String svg = SvgChart.draw("4 cores & \"more\"", sheet, Targets.judge(sheet));
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(svg)));
    assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
    assertThat(document.getElementsByTagName("rect").getLength()).isEqualTo(2);
    assertThat(document.getDocumentElement().getTextContent()).contains("engine & lanes <fast>");
  }

  @Test
  void the_json_has_every_figure_and_verdict() {
    JsonNode json =
        JsonMapper.shared()
            .readTree(JsonReport.write(Map.of("cores", "2"), sheet, Targets.judge(sheet)));
    assertThat(json.path("figures").get(0).path("key").asString()).isEqualTo("b.256.per_s");
    assertThat(json.path("figures").get(0).path("value").asDouble()).isEqualTo(5_400.5);
    assertThat(json.path("notes").get(0).asString()).isEqualTo("No pgbench here.");
    assertThat(json.path("verdicts").size()).isEqualTo(Targets.judge(sheet).size());
  }

  @Test
  void the_tables_say_the_same() {
    assertThat(TextReport.figures(sheet)).contains("5,401", "0.004", "Note: No pgbench here.");
    assertThat(TextReport.verdicts(Targets.judge(sheet))).contains("12.3", "met", "not measured");
  }
}
