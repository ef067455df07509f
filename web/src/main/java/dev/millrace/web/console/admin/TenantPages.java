package dev.millrace.web.console.admin;

import dev.millrace.postgres.removal.TenantContents;
import dev.millrace.postgres.tenants.TenantView;
import dev.millrace.postgres.tenants.Users;
import dev.millrace.service.Services;
import dev.millrace.service.access.Scope;
import dev.millrace.service.access.TenantActions;
import dev.millrace.service.tenants.TenantJson;
import dev.millrace.service.tenants.TenantRemoval;
import dev.millrace.web.api.admin.TenantAnswers;
import dev.millrace.web.api.admin.TenantReader;
import dev.millrace.web.console.frame.OneTimeSecrets;
import dev.millrace.web.console.frame.PageAccess;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.console.job.JobList;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The tenants, for operators: all of them, and one with its users. */
public final class TenantPages {

  private static final int PAGE = 50;
  private static final String ALL = "/console/tenants";
  private static final String ONE = ALL + "/{tenant}";

  private final PageAccess doors;
  private final Services.ForTenants tenants;
  private final Users users;
  private final OneTimeSecrets once;

  public TenantPages(
      PageAccess doors, Services.ForTenants tenants, Users users, OneTimeSecrets once) {
    this.doors = doors;
    this.tenants = tenants;
    this.users = users;
    this.once = once;
  }

  public List<Route> routes() {
    return List.of(
        doors.page(ALL, Scope.TENANTS_READ, this::list),
        doors.deed(ALL, Scope.TENANTS_WRITE, this::make),
        doors.page(ONE, Scope.TENANTS_READ, this::show),
        doors.deed(ONE + "/limits", Scope.TENANTS_WRITE, this::limit),
        doors.deed(
            ONE + "/suspend",
            Scope.TENANTS_WRITE,
            visit -> changed(visit, tenants.actions().suspend(visit.principal(), slug(visit)))),
        doors.deed(
            ONE + "/resume",
            Scope.TENANTS_WRITE,
            visit -> changed(visit, tenants.actions().resume(visit.principal(), slug(visit)))),
        doors.deed(ONE + "/export", Scope.TENANTS_WRITE, this::export),
        doors.deed(ONE + "/remove", Scope.TENANTS_WRITE, this::remove));
  }

  /**
   * One tenant.
   *
   * @param limits each by its name, as it stands in the form
   * @param plan what a removal would take away; null where nobody can ask for one
   */
  public record Sheet(
      TenantView tenant,
      TenantContents.Use use,
      Map<String, String> limits,
      TenantRemoval.@Nullable Plan plan) {}

  /**
   * Some of its users.
   *
   * @param next where the next page begins; empty if this is the last
   */
  public record UserPage(List<Users.Standing> users, String prefix, String next) {}

  /** How a tenant stands, in one word. */
  public static String standing(TenantView tenant) {
    TenantView.Standing standing = tenant.standing();
    if (standing.removedAt() != null) {
      return "removed";
    }
    if (standing.removingAt() != null) {
      return "removing";
    }
    return standing.suspendedAt() == null ? "active" : "suspended";
  }

  private Response list(Visit visit) {
    String search = visit.query("search");
    List<TenantView> found =
        tenants.actions().list(orNull(search), orNull(visit.query("after")), PAGE);
    return doors
        .html()
        .page(
            200,
            "tenants",
            Map.of(
                "page",
                visit.page("Tenants", "tenants"),
                "tenants",
                found,
                "search",
                search,
                "next",
                found.size() < PAGE ? "" : found.getLast().slug()));
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  private Response make(Visit visit) {
    ObjectNode fields = JsonMapper.shared().createObjectNode().put("slug", visit.field("slug"));
    fields.put("name", orNull(visit.field("name")));
    TenantReader.NewTenant wanted = TenantReader.newTenant(fields);
    TenantActions.Made made =
        tenants
            .actions()
            .make(visit.principal(), wanted.slug(), wanted.name())
            .orElseThrow(TenantAnswers::exists);
    return once.lead(
        visit,
        "New tenant",
        "tenants",
        "The key of the first admin of " + made.tenant().slug(),
        made.secret(),
        ALL + "/" + made.tenant().slug());
  }

  private Response show(Visit visit) {
    TenantView tenant = tenant(visit);
    String prefix = visit.query("prefix");
    List<Users.Standing> found = users.list(tenant.id(), prefix, visit.query("after"), PAGE);
    String next = found.size() < PAGE ? "" : JobList.encoded(found.getLast().userId());
    return doors
        .html()
        .page(
            200,
            "tenant",
            Map.of(
                "page", visit.page("Tenant " + tenant.slug(), "tenants"),
                "sheet",
                    new Sheet(
                        tenant, tenants.removal().use(tenant.id()), limits(tenant), plan(tenant)),
                "users", new UserPage(found, prefix, next)));
  }

  /** What would go, where somebody could ask for it. */
  private TenantRemoval.@Nullable Plan plan(TenantView tenant) {
    return standing(tenant).equals("suspended")
        ? tenants.removal().plan(tenant.slug(), new TenantRemoval.Wish(null, true)).orElse(null)
        : null;
  }

  /** Each by its name, as it stands in the form; empty is what is usual. */
  private static Map<String, String> limits(TenantView tenant) {
    Map<String, String> limits = new LinkedHashMap<>();
    TenantJson.of(tenant.limits())
        .properties()
        .forEach(limit -> limits.put(limit.getKey(), limit.getValue().asString("")));
    return limits;
  }

  private Response limit(Visit visit) {
    ObjectNode fields = JsonMapper.shared().createObjectNode();
    for (String name : limits(tenant(visit)).keySet()) {
      String typed = visit.field(name);
      if (typed.matches("[0-9]{1,18}")) {
        fields.put(name, Long.parseLong(typed));
      } else if (!typed.isEmpty()) {
        fields.put(name, typed);
      }
    }
    return changed(
        visit,
        tenants.actions().limit(visit.principal(), slug(visit), TenantReader.limits(fields)));
  }

  private Response changed(Visit visit, Optional<TenantView> changed) {
    if (changed.isEmpty()) {
      throw TenantAnswers.unchanged(tenants.actions(), slug(visit));
    }
    return back(visit, "changed");
  }

  private Response export(Visit visit) {
    return TenantAnswers.archive(
        tenants, visit.principal(), slug(visit), !visit.field("objects").isEmpty());
  }

  private Response remove(Visit visit) {
    String receipt = visit.field("receipt");
    TenantAnswers.requireBegun(
        tenants
            .removal()
            .begin(
                visit.principal(),
                slug(visit),
                new TenantRemoval.Wish(
                    orNull(receipt), receipt.isEmpty() && !visit.field("without").isEmpty())));
    return back(visit, "tenant-removing");
  }

  private static Response back(Visit visit, String done) {
    return visit.to(ALL + "/" + slug(visit) + "?done=" + done);
  }

  private TenantView tenant(Visit visit) {
    return tenants.actions().find(slug(visit)).orElseThrow(ProblemException::notFound);
  }

  private static String slug(Visit visit) {
    return visit.request().pathParameter("tenant");
  }
}
