package dev.millrace.web.dialect.openai;

import dev.millrace.service.catalogue.Effect;
import dev.millrace.web.dialect.GivenFiles;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.form.FormFiles;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A form as if it were JSON, and the files that came with it. */
record Form(ObjectNode body, List<FormFiles.Part> files) {

  static Form of(FormFiles form, Effect effect) {
    EffectInput input = new EffectInput(effect);
    ObjectNode body = JsonMapper.shared().createObjectNode();
    List<FormFiles.Part> files = new ArrayList<>();
    for (FormFiles.Part part : form.parts()) {
      if (part.filename() != null) {
        files.add(part);
      } else {
        body.set(part.name(), input.value(part.name(), part.text()));
      }
    }
    return new Form(body, files);
  }

  /** Stores the files and names them in the input. */
  void bring(EffectInput input, GivenFiles given, GivenFiles.Owner owner) {
    if (files.size() > 16) {
      throw ProblemException.invalid("/image", "must be at most 16 files");
    }
    for (FormFiles.Part part : files) {
      String name = part.name().replace("[]", "");
      String property =
          input
              .fileProperty(name)
              .orElseThrow(
                  () -> ProblemException.invalid("/" + name, "is no file that this model takes"));
      if (input.fields().path("input").has(property)) {
        throw ProblemException.invalid("/" + name, "must be one file for this model");
      }
      input.put(
          property,
          JsonMapper.shared().getNodeFactory().stringNode(given.same(owner, part).toString()));
    }
  }
}
