package dev.millrace.worker.comfy;

import dev.millrace.testkit.comfy.FakeComfyUi;
import dev.millrace.worker.fake.FakeJob;
import dev.millrace.worker.fake.FakeMillrace;
import dev.millrace.worker.fake.Rig;
import dev.millrace.worker.settings.WorkerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Jobs with small graphs, and a worker that runs them. */
final class Templates {

  private Templates() {}

  static Rig rig(FakeMillrace server, FakeComfyUi comfy, Path place, int slots) {
    return rig(server, comfy, place, slots, Duration.ofSeconds(20));
  }

  static Rig rig(FakeMillrace server, FakeComfyUi comfy, Path place, int slots, Duration away) {
    return rig(server, comfy, place, slots, away, Duration.ofMinutes(10));
  }

  static Rig rig(
      FakeMillrace server,
      FakeComfyUi comfy,
      Path place,
      int slots,
      Duration away,
      Duration stall) {
    WorkerSettings.ComfyUi settings =
        new WorkerSettings.ComfyUi(comfy.url(), Duration.ofMillis(50), away, stall);
    return Rig.of(server, place, slots, (web, log) -> new ComfyUiExecutor(web, settings, log));
  }

  static Map<String, Object> node(String type, Map<String, Object> inputs) {
    return Map.of("class_type", type, "inputs", inputs);
  }

  static FakeJob of(Map<String, Object> graph) {
    return new FakeJob("demo").with("template", graph).with("provider", "comfyui");
  }

  static FakeJob invert() {
    return of(chain("LoadImage", Map.of("image", "{{photo}}"), "ImageInvert", "image"))
        .with("output_node", "9");
  }

  static FakeJob missingFile() {
    return of(chain("LoadImage", Map.of("image", "not-there.png"), "ImageInvert", "image"));
  }

  static FakeJob scaled(String method) {
    Map<String, Object> graph = new LinkedHashMap<>();
    graph.put("1", node("EmptyImage", Map.of("color", 5)));
    Map<String, Object> how =
        Map.of("image", link("1"), "upscale_method", method, "width", 8, "height", 8);
    graph.put("2", node("ImageScale", how));
    graph.put("9", node("SaveImage", Map.of("images", link("2"), "filename_prefix", "job")));
    return of(graph);
  }

  static FakeJob throwing(String type) {
    return throwing(type, "value");
  }

  static FakeJob throwing(String type, String input) {
    return of(chain("EmptyImage", Map.of("color", 3), type, input));
  }

  static FakeJob slow(double seconds) {
    Map<String, Object> graph = new LinkedHashMap<>();
    graph.put("1", node("EmptyImage", Map.of("color", 5)));
    graph.put("2", node("TestSleep", Map.of("value", link("1"), "seconds", seconds)));
    graph.put("9", node("SaveImage", Map.of("images", link("2"), "filename_prefix", "x/slow")));
    return of(graph).with("output_node", "9");
  }

  static FakeJob partlyBroken() {
    Map<String, Object> graph = new LinkedHashMap<>();
    graph.put("1", node("EmptyImage", Map.of("color", 5)));
    graph.put("9", node("SaveImage", Map.of("images", link("1"), "filename_prefix", "a")));
    graph.put("8", node("SaveImage", Map.of("images", link("66"), "filename_prefix", "b")));
    return of(graph);
  }

  static FakeJob everyKind() {
    Map<String, Object> graph = new LinkedHashMap<>();
    graph.put("1", node("EmptyImage", Map.of("color", 255)));
    graph.put("5", saving("SaveAnimatedWEBP", "images", "1"));
    graph.put("6", node("CreateVideo", Map.of("images", link("1"))));
    graph.put("7", saving("SaveVideo", "video", "6"));
    graph.put("8", node("PreviewImage", Map.of("images", link("1"))));
    graph.put("10", saving("VHS_VideoCombine", "images", "1"));
    graph.put("11", saving("SaveAudio", "audio", "1"));
    graph.put("12", saving("SaveFile", "value", "1"));
    return of(graph);
  }

  private static Map<String, Object> saving(String type, String input, String from) {
    return node(type, Map.of(input, link(from), "filename_prefix", "kinds"));
  }

  private static Map<String, Object> chain(
      String source, Map<String, Object> inputs, String step, String input) {
    Map<String, Object> graph = new LinkedHashMap<>();
    graph.put("1", node(source, inputs));
    graph.put("2", node(step, Map.of(input, link("1"))));
    graph.put("9", node("SaveImage", Map.of("images", link("2"), "filename_prefix", "job")));
    return graph;
  }

  private static List<Object> link(String node) {
    return List.of(node, 0);
  }
}
