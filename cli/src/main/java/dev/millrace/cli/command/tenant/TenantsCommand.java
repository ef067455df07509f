package dev.millrace.cli.command.tenant;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.command.shared.Details;
import dev.millrace.cli.command.shared.Limit;
import dev.millrace.cli.command.shared.Missing;
import dev.millrace.cli.command.shared.Pages;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Say;
import dev.millrace.cli.text.Table;
import dev.millrace.cli.text.Table.Column;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "tenants",
    description = "Look after the tenants (operators).",
    subcommands = {
      TenantsCommand.Listing.class,
      TenantsCommand.Show.class,
      TenantsCommand.Create.class,
      TenantLimitsCommand.class,
      TenantsCommand.Suspend.class,
      TenantsCommand.Resume.class,
      TenantExportCommand.class,
      TenantRemoveCommand.class
    })
public final class TenantsCommand implements CommandAction {

  static final String PATH = "/api/admin/tenants";

  private static final int USUAL = 20;

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    return list(session, null, USUAL);
  }

  private static ExitCode list(Session session, @Nullable String search, int limit)
      throws IOException, InterruptedException {
    ObjectNode page = new Pages(PATH).with("search", search).collect(session.api(), limit);
    Table table =
        new Table(
            Column.id("TENANT"), Column.text("NAME"), Column.state("STATUS"), Column.id("CREATED"));
    for (JsonNode tenant : page.path("items")) {
      table.row(
          ApiJson.text(tenant, "slug"),
          ApiJson.text(tenant, "name"),
          status(tenant),
          session.ago(tenant, "created_at"));
    }
    session.printList(page, table, "No tenant has this in its slug or its name.");
    return ExitCode.OK;
  }

  static String status(JsonNode tenant) {
    if (!ApiJson.text(tenant, "removed_at").isEmpty()) {
      return "removed";
    }
    if (!ApiJson.text(tenant, "removing_at").isEmpty()) {
      return "removing";
    }
    return ApiJson.text(tenant, "suspended_at").isEmpty() ? "active" : "suspended";
  }

  @Command(name = "list", description = "List the tenants, by their slugs.")
  static final class Listing implements CommandAction {

    @Option(
        names = "--search",
        paramLabel = "TEXT",
        description = "Only those with this in their slug or name.")
    private @Nullable String search;

    @Mixin private Limit limit = new Limit();

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return list(session, search, limit.number());
    }
  }

  /** Something about one tenant. */
  abstract static class OfOne implements CommandAction {

    @Parameters(index = "0", paramLabel = "TENANT", description = "The tenant's slug.")
    String slug = "";

    abstract ExitCode act(Session session) throws IOException, InterruptedException;

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return Missing.told("tenant", slug, "millrace tenants", () -> act(session));
    }

    String path() {
      return PATH + "/" + ServerApi.segment(slug);
    }

    ExitCode change(Session session, String verb, String outcome)
        throws IOException, InterruptedException {
      JsonNode tenant = session.api().post(path() + "/" + verb, ApiJson.object());
      if (session.format() == Format.TABLE) {
        session.say("Tenant " + slug + " " + outcome);
      } else {
        session.print(tenant);
      }
      return ExitCode.OK;
    }
  }

  @Command(name = "show", description = "Show one tenant, its limits, and what it uses.")
  static final class Show extends OfOne {
    @Override
    ExitCode act(Session session) throws IOException, InterruptedException {
      JsonNode tenant = session.api().get(path());
      JsonNode use = tenant.path("use");
      Details details =
          new Details()
              .line("tenant", ApiJson.text(tenant, "slug"))
              .line("name", ApiJson.text(tenant, "name"))
              .line("status", status(tenant))
              .line("created", session.ago(tenant, "created_at"))
              .line("suspended", session.ago(tenant, "suspended_at"))
              .line("removing", session.ago(tenant, "removing_at"))
              .line("removed", session.ago(tenant, "removed_at"))
              .line("users", Say.number(ApiJson.number(use, "users")))
              .line("balance", Say.number(ApiJson.number(use, "balance")))
              .line("live jobs", Say.number(ApiJson.number(use, "live_jobs")))
              .line("held", Say.number(ApiJson.number(use, "held")))
              .line("stored", Say.size(ApiJson.number(use, "stored_bytes")));
      TenantLimitsCommand.lines(details, tenant.path("limits"));
      details.print(session, tenant);
      return ExitCode.OK;
    }
  }

  @Command(
      name = "create",
      description = "Make a tenant, and print its first admin's key, this once.")
  static final class Create extends OfOne {

    @Option(names = "--name", paramLabel = "NAME", description = "For people; else the slug.")
    private @Nullable String name;

    @Override
    ExitCode act(Session session) throws IOException, InterruptedException {
      ObjectNode body = ApiJson.object().put("slug", slug);
      if (name != null) {
        body.put("name", name);
      }
      JsonNode tenant = session.api().post(PATH, body);
      if (session.format() == Format.TABLE) {
        session.say("Tenant " + slug + " is made. Its first admin's key is shown only this once:");
        session.print(ApiJson.text(tenant, "admin_key"));
      } else {
        session.print(tenant);
      }
      return ExitCode.OK;
    }
  }

  @Command(
      name = "suspend",
      description = "Shut a tenant out; what it asked for before still runs.")
  static final class Suspend extends OfOne {
    @Override
    ExitCode act(Session session) throws IOException, InterruptedException {
      return change(session, "suspend", "is shut out within five seconds.");
    }
  }

  @Command(name = "resume", description = "Let a suspended tenant in again.")
  static final class Resume extends OfOne {
    @Override
    ExitCode act(Session session) throws IOException, InterruptedException {
      return change(session, "resume", "is let in again within five seconds.");
    }
  }
}
