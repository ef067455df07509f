package dev.millrace.cli.command.tenant;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.command.shared.Consent;
import dev.millrace.cli.command.shared.Details;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Say;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "remove",
    description = "Remove a suspended tenant and all that it has, for good.",
    footer = {
      "%nIts slug is never given away again. Example:",
      "  millrace tenants suspend acme",
      "  millrace tenants export acme -o acme.tar.gz",
      "  millrace tenants remove acme --export acme.tar.gz"
    })
final class TenantRemoveCommand extends TenantsCommand.OfOne {

  @Option(
      names = "--export",
      paramLabel = "FILE",
      description = "The export that you keep, as proof that there is one.")
  private @Nullable Path export;

  @Option(names = "--without-export", description = "Nobody needs an export.")
  private boolean withoutExport;

  @Option(names = "--dry-run", description = "Only say what would be removed.")
  private boolean dryRun;

  @Mixin private Consent consent = new Consent();

  @Override
  ExitCode act(Session session) throws IOException, InterruptedException {
    JsonNode plan = ask(session, true);
    if (dryRun) {
      details(plan).print(session, plan);
      return ExitCode.OK;
    }
    // What is in the way is told before anybody is asked anything.
    if (ApiJson.text(plan, "obstacle").isEmpty() && !consent.given(session, question(plan))) {
      return ExitCode.CANCELED;
    }
    JsonNode tenant = ask(session, false);
    if (session.format() == Format.TABLE) {
      session.say(
          "Tenant %s is being removed; millrace tenants show %s tells when nothing is left."
              .formatted(slug, slug));
    } else {
      session.print(tenant);
    }
    return ExitCode.OK;
  }

  private JsonNode ask(Session session, boolean dry) throws IOException, InterruptedException {
    ObjectNode body = ApiJson.object().put("dry_run", dry);
    if (export != null) {
      JsonNode manifest = ExportReceipt.manifest(export);
      if (!ApiJson.text(manifest, "tenant").equals(slug)) {
        throw new CommandFailure(
            ExitCode.USAGE,
            "%s is an export of the tenant %s."
                .formatted(export, ApiJson.text(manifest, "tenant")));
      }
      body.put("receipt", ApiJson.text(manifest, "receipt"));
    }
    if (withoutExport) {
      body.put("without_export", true);
    }
    return session.api().post(path() + "/remove", body);
  }

  private String question(JsonNode plan) {
    JsonNode what = plan.path("would_remove");
    return "Remove the tenant %s with %s, %s, %s and a balance of %s? %sThere is no way back."
        .formatted(
            slug,
            Say.count(ApiJson.number(what, "users"), "user"),
            Say.count(ApiJson.number(what, "jobs"), "job"),
            Say.count(ApiJson.number(what, "files"), "file"),
            Say.count(ApiJson.number(what, "balance"), "credit"),
            ApiJson.number(what, "live_jobs") == 0
                ? ""
                : Say.count(ApiJson.number(what, "live_jobs"), "live job")
                    + " of it would be canceled. ");
  }

  private static Details details(JsonNode plan) {
    JsonNode what = plan.path("would_remove");
    Details details = new Details();
    for (String name : what.propertyNames()) {
      long number = ApiJson.number(what, name);
      details.line(
          name.replace('_', ' '), name.endsWith("_bytes") ? Say.size(number) : Say.number(number));
    }
    return details.line("in the way", ApiJson.text(plan, "obstacle").replace('_', ' '));
  }
}
