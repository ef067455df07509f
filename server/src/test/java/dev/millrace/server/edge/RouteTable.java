package dev.millrace.server.edge;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Who may do what: every route of the API and every page of the console, the least that it takes to
 * use it, and a good request for it. A new one needs a line here.
 */
final class RouteTable {

  private static final String JOBS =
      """
      POST   /api/jobs                       jobs:write    {"effect":"sketch/draft","input":{"prompt":"x"},"run_at":"2199-01-01T00:00:00Z"}
      GET    /api/jobs                       jobs:read
      GET    /api/jobs/{id}                  jobs:read
      GET    /api/jobs/{id}/events           jobs:read
      GET    /api/jobs/{id}/stream           jobs:read
      GET    /api/jobs/{id}/why              jobs:read
      GET    /api/jobs/{id}/receipt          jobs:read
      GET    /api/jobs/{id}/outputs/{index}  jobs:read
      GET    /api/jobs/{id}/items            reviews:write
      POST   /api/jobs/{id}/cancel           jobs:write
      POST   /api/jobs/{id}/retry            jobs:write    {}
      POST   /api/jobs/{id}/approve          reviews:write {"items":["<item>"]}
      POST   /api/jobs/{id}/decline          reviews:write {"reason":"r"}
      DELETE /api/jobs/{id}                  jobs:write
      POST   /api/admin/jobs/{id}/retry      tasks:write
      POST   /api/admin/jobs/{id}/adopt      tasks:write
      POST   /api/admin/jobs/{id}/reject     reviews:write {"category":"violence","reason":"r"}
      POST   /api/admin/jobs/{id}/overturn   reviews:write {"reason":"r"}
      POST   /api/batches                    jobs:write    {"jobs":[{"effect":"sketch/draft","input":{"prompt":"x"},"run_at":"2199-01-01T00:00:00Z"}]}
      GET    /api/batches                    jobs:read
      GET    /api/batches/{id}               jobs:read
      GET    /api/batches/{id}/stream        jobs:read
      POST   /api/batches/{id}/cancel        jobs:write
      POST   /api/batches/{id}/retry         jobs:write
      GET    /api/effects                    effects:read
      GET    /api/effects/{slug*}            effects:read
      GET    /api/files                      files:read
      POST   /api/files                      files:write   {"name":"a.json","media_type":"application/json","size":2}
      GET    /api/files/{id}                 files:read
      DELETE /api/files/{id}                 files:write
      POST   /api/files/{id}/parts           files:write   {"numbers":[1]}
      POST   /api/files/{id}/confirm         files:write   {"size":2,"sha256":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"}
      GET    /api/wallet                     wallet:read
      GET    /api/wallet/ledger              wallet:read
      GET    /api/usage                      wallet:read
      GET    /api/whoami                     any
      POST   /api/console/links              console:write
      GET    /api/user-tokens                tokens:read
      POST   /api/user-tokens                tokens:write  {"user":"alice"}
      DELETE /api/user-tokens/{id}           tokens:write
      POST   /api/tickets                    jobs:read     {"path":"/api/jobs/<job>/stream"}
      GET    /replicate/v1/predictions               jobs:read
      POST   /replicate/v1/predictions               jobs:write {"version":"sketch/draft","input":{}}
      POST   /replicate/v1/models/{owner}/{name}/predictions      jobs:write {"input":{}}
      POST   /replicate/v1/deployments/{owner}/{name}/predictions jobs:write {"input":{}}
      GET    /replicate/v1/predictions/{id}          jobs:read
      POST   /replicate/v1/predictions/{id}/cancel   jobs:write
      POST   /replicate/v1/files                     files:write {}
      GET    /replicate/v1/files                     files:read
      GET    /replicate/v1/files/{id}                files:read
      GET    /replicate/v1/files/{id}/download       files:read
      DELETE /replicate/v1/files/{id}                files:write
      GET    /replicate/v1/models                    effects:read
      GET    /replicate/v1/models/{owner}/{name}     effects:read
      GET    /replicate/v1/models/{owner}/{name}/versions effects:read
      GET    /replicate/v1/models/{owner}/{name}/versions/{version} effects:read
      GET    /replicate/v1/account                   any
      GET    /replicate/v1/webhooks/default/secret   webhooks:write
      POST   /openai/v1/images/generations           jobs:write {}
      POST   /openai/v1/images/edits                 jobs:write {}
      POST   /openai/v1/videos                       jobs:write {}
      GET    /openai/v1/videos                       jobs:read
      GET    /openai/v1/videos/{video}               jobs:read
      GET    /openai/v1/videos/{video}/content       jobs:read
      DELETE /openai/v1/videos/{video}               jobs:write
      POST   /openai/v1/audio/speech                 jobs:write {}
      POST   /openai/v1/chat/completions             jobs:write {}
      GET    /openai/v1/models                       effects:read
      GET    /openai/v1/models/{model*}              effects:read
      POST   /openai/v1/files                        files:write {}
      GET    /openai/v1/files                        files:read
      GET    /openai/v1/files/{id}                   files:read
      GET    /openai/v1/files/{id}/content           files:read
      DELETE /openai/v1/files/{id}                   files:write
      POST   /openai/v1/batches                      jobs:write {}
      GET    /openai/v1/batches                      jobs:read
      GET    /openai/v1/batches/{batch}              jobs:read
      POST   /openai/v1/batches/{batch}/cancel       jobs:write
      POST   /api/generate/{type}            jobs:write    {"prompt":"x"}
      GET    /api/generate/jobs/{id}         jobs:read
      POST   /api/generate/jobs/{id}/cancel  jobs:write
      POST   /api/images/jobs                jobs:write    {"prompt":"x"}
      GET    /api/images/jobs                jobs:read
      GET    /api/images/jobs/{id}           jobs:read
      GET    /api/images/jobs/{id}/result    jobs:read
      POST   /api/videos/uploads             files:write   {"mime_type":"application/json","size":2,"original_filename":"a.json"}
      POST   /api/videos                     files:write   {"original_file_id":"00000000-0000-4000-8000-000000000000"}
      GET    /api/videos/{id}                jobs:read
      POST   /api/ai-jobs                    jobs:write    {"effect_id":"sketch/draft","input_payload":{"prompt":"x"}}
      GET    /api/ai-jobs/{id}               jobs:read
      GET    /api/processes                  jobs:read
      GET    /api/processes/{id}             jobs:read
      GET    /api/processes/{id}/events      jobs:read
      GET    /api/processes/{id}/stream      jobs:read
      POST   /api/processes/{id}/retry       jobs:write
      POST   /api/processes/{id}/cancel      jobs:write
      """;

  private static final String ADMINISTRATION =
      """
      POST   /api/admin/wallets/credit       users:write   {"user":"carol","amount":1,"idempotency_key":"matrix"}
      POST   /api/admin/wallets/adjust       users:write   {"user":"carol","amount":1,"idempotency_key":"matrix-too","reason":"r"}
      GET    /api/admin/wallets/limits       users:read
      PUT    /api/admin/wallets/limits       users:write   {"user":"carol","active_jobs":5,"daily_jobs":5}
      GET    /api/admin/users                users:read
      GET    /api/admin/usage                users:read
      GET    /api/admin/keys                 keys:read
      POST   /api/admin/keys                 keys:write    {"name":"n","role":"user"}
      POST   /api/admin/keys/{id}/rotate     keys:write    {"overlap_seconds":5}
      DELETE /api/admin/keys/{id}            keys:write
      GET    /api/admin/audit                audit:read
      GET    /api/admin/origins              origins:read
      PUT    /api/admin/origins              origins:write {"origins":["https://app.example.com"]}
      POST   /api/admin/tasks                tasks:write   {"action":"cancel","filter":{"user":"nobody"}}
      GET    /api/admin/tasks                tasks:read
      GET    /api/admin/tasks/{id}           tasks:read
      POST   /api/admin/tasks/{id}/stop      tasks:write
      GET    /api/admin/webhooks             webhooks:read
      POST   /api/admin/webhooks             webhooks:write {"url":"https://hooks.invalid/x","events":["job.blocked"]}
      GET    /api/admin/webhooks/{id}        webhooks:read
      PUT    /api/admin/webhooks/{id}        webhooks:write {"url":"https://hooks.invalid/x","events":["job.blocked"]}
      DELETE /api/admin/webhooks/{id}        webhooks:write
      POST   /api/admin/webhooks/{id}/rotate  webhooks:write {"overlap_seconds":5}
      POST   /api/admin/webhooks/{id}/enable  webhooks:write
      POST   /api/admin/webhooks/{id}/disable webhooks:write
      POST   /api/admin/webhooks/{id}/test    webhooks:write
      POST   /api/admin/webhooks/{id}/redeliver webhooks:write {"since":"2026-01-01T00:00:00Z"}
      GET    /api/admin/webhooks/{id}/deliveries webhooks:read
      GET    /api/admin/webhooks/{id}/deliveries/{message} webhooks:read
      POST   /api/admin/webhooks/{id}/deliveries/{message}/redeliver webhooks:write
      GET    /api/admin/events               webhooks:read
      """;

  private static final String OPERATION =
      """
      GET    /api/admin/tenants              tenants:read
      POST   /api/admin/tenants              tenants:write {"slug":"new-tenant"}
      GET    /api/admin/tenants/{tenant}     tenants:read
      PUT    /api/admin/tenants/{tenant}/limits tenants:write {"active_jobs":5}
      POST   /api/admin/tenants/{tenant}/suspend tenants:write
      POST   /api/admin/tenants/{tenant}/resume tenants:write
      GET    /api/admin/tenants/{tenant}/users tenants:read
      POST   /api/admin/tenants/{tenant}/export tenants:write {"objects":true}
      POST   /api/admin/tenants/{tenant}/remove tenants:write {"without_export":true,"dry_run":true}
      POST   /api/admin/effects/{slug*}/pause  catalogue:write
      POST   /api/admin/effects/{slug*}/resume catalogue:write
      POST   /api/admin/workflows/{slug}/pause catalogue:write
      POST   /api/admin/workflows/{slug}/resume catalogue:write
      POST   /api/admin/catalogue/reload     catalogue:write
      POST   /api/admin/catalogue/check      catalogue:write {"name":"a.yaml","text":"x: y"}
      GET    /api/admin/providers            providers:read
      GET    /api/admin/doctor               doctor:read
      GET    /api/admin/queues               queues:read
      GET    /api/admin/queues/{workflow}    queues:read
      GET    /metrics                        metrics:read
      GET    /api/admin/workers              fleet:read
      GET    /api/admin/workers/{worker}     fleet:read
      POST   /api/admin/workers/{worker}/approve fleet:write
      POST   /api/admin/workers/{worker}/drain fleet:write
      POST   /api/admin/workers/{worker}/resume fleet:write
      POST   /api/admin/workers/{worker}/rotate fleet:write
      PUT    /api/admin/workers/{worker}/workflows fleet:write {"workflow_slugs":["caption"]}
      POST   /api/admin/workers/{worker}/revoke fleet:write
      DELETE /api/admin/workers/{worker}     fleet:write
      """;

  private static final String WORKERS =
      """
      POST   /api/worker/poll                worker {"max":1,"wait":0}
      POST   /api/worker/heartbeat           worker {"job_id":"<job>","lease_token":"00000000-0000-4000-8000-000000000000","progress":1}
      POST   /api/worker/upload              worker {"job_id":"<job>","lease_token":"00000000-0000-4000-8000-000000000000","media_type":"image/png","size":1}
      POST   /api/worker/upload/parts        worker {"job_id":"<job>","lease_token":"00000000-0000-4000-8000-000000000000","key":"a.png","upload_id":"u","size":6000000,"part_bytes":5242880,"numbers":[1]}
      POST   /api/worker/complete            worker {"job_id":"<job>","lease_token":"00000000-0000-4000-8000-000000000000","outputs":[{"text":"x"}]}
      POST   /api/worker/fail                worker {"job_id":"<job>","lease_token":"00000000-0000-4000-8000-000000000000","error_class":"permanent","message":"m"}
      POST   /api/worker/requeue             worker {"job_id":"<job>","lease_token":"00000000-0000-4000-8000-000000000000"}
      POST   /api/worker/canceled            worker {"job_id":"<job>","lease_token":"00000000-0000-4000-8000-000000000000"}
      POST   /videos/api/worker/poll         worker {}
      POST   /videos/api/worker/heartbeat    worker {"dispatch_id":"<job>","lease_token":"00000000-0000-4000-8000-000000000000"}
      POST   /videos/api/worker/complete     worker {"dispatch_id":"<job>","lease_token":"00000000-0000-4000-8000-000000000000"}
      POST   /videos/api/worker/fail         worker {"dispatch_id":"<job>","lease_token":"00000000-0000-4000-8000-000000000000"}
      POST   /videos/api/worker/requeue      worker {"dispatch_id":"<job>","lease_token":"00000000-0000-4000-8000-000000000000","reason":"r"}
      POST   /api/worker/deregister          worker {}
      """;

  /**
   * Registering takes the fleet's secret, which none of the callers has, and whoever deregistered
   * once is unknown to the other way of doing so.
   */
  private static final String OPEN =
      """
      GET    /                               open
      GET    /healthz                        open
      GET    /readyz                         open
      GET    /openapi.json                   open
      GET    /objects/{key*}                 open
      GET    /results/{code}/{place}         open
      GET    /replicate/stream/{code}        open
      GET    /replicate/openapi.json         open
      GET    /openai/openapi.json            open
      PUT    /objects/{key*}                 open {}
      POST   /callbacks/{provider}/{intent}  open {}
      POST   /api/worker/register            open {"worker_id":"w","workflow_slugs":["caption"]}
      POST   /videos/api/worker/register     open {"worker_id":"w","workflow_slugs":["caption"]}
      POST   /videos/api/worker/deregister   open {}
      PUT    /videos/outputs/{id}            open {}
      GET    /console/assets/{name}          open
      GET    /console/sign-in                open
      POST   /console/sign-in                open key=mr_nonsense
      GET    /console/sign-in/provider       open
      GET    /console/sign-in/callback       open
      GET    /console/link/{secret}          open
      POST   /console/link/{secret}          open a=b
      GET    /console/{rest*}                open
      """;

  private static final String PAGES =
      """
      GET    /console                        console:write
      POST   /console/preferences            console:write theme=dark&back=/console
      GET    /console/shown-once             console:write
      GET    /console/studio                 effects:read
      GET    /console/studio/{slug*}         effects:read
      POST   /console/studio/{slug*}         jobs:write prompt=x
      POST   /console/quote/{slug*}          effects:read prompt=x
      GET    /console/library                files:read
      PUT    /console/uploads                files:write {}
      GET    /console/files/{id}             files:read
      GET    /console/files/{id}/thumb       files:read
      GET    /console/wallet                 wallet:read
      GET    /console/jobs                   jobs:read
      GET    /console/jobs-news              jobs:read
      GET    /console/jobs/{id}              jobs:read
      GET    /console/jobs/{id}/live         jobs:read
      GET    /console/jobs/{id}/receipt      jobs:read
      POST   /console/jobs/{id}/uncover      reviews:write a=b
      POST   /console/jobs/{id}/cancel       jobs:write a=b
      POST   /console/jobs/{id}/retry        jobs:write a=b
      POST   /console/jobs/{id}/retry-in-place tasks:write a=b
      POST   /console/jobs/{id}/delete       jobs:write a=b
      GET    /console/review                 reviews:write
      GET    /console/review/now             reviews:write
      GET    /console/review/{id}/items/{item} reviews:write
      POST   /console/review/{id}/approve    reviews:write items=<item>
      POST   /console/review/{id}/decline    reviews:write reason=r
      GET    /console/dead-letters           tasks:read
      POST   /console/jobs-bulk              tasks:write action=cancel&id=<job>
      POST   /console/jobs-bulk/go           tasks:write action=cancel&id=<job>
      GET    /console/tasks                  tasks:read
      GET    /console/tasks/now              tasks:read
      POST   /console/tasks/{id}/stop        tasks:write a=b
      GET    /console/ledger                 users:read
      POST   /console/ledger/credit          users:write user=carol&amount=1
      POST   /console/ledger/proof           doctor:read a=b
      GET    /console/overview               tasks:read
      GET    /console/tenants                tenants:read
      POST   /console/tenants                tenants:write slug=made-here
      GET    /console/tenants/{tenant}       tenants:read
      POST   /console/tenants/{tenant}/limits tenants:write burst=5
      POST   /console/tenants/{tenant}/suspend tenants:write a=b
      POST   /console/tenants/{tenant}/resume tenants:write a=b
      POST   /console/tenants/{tenant}/export tenants:write objects=on
      POST   /console/tenants/{tenant}/remove tenants:write a=b
      GET    /console/overview/now           tasks:read
      GET    /console/queues                 queues:read
      GET    /console/queues/now             queues:read
      POST   /console/queues/{slug}/pause    catalogue:write a=b
      POST   /console/queues/{slug}/resume   catalogue:write a=b
      GET    /console/workers                fleet:read
      GET    /console/workers/now            fleet:read
      POST   /console/workers/{worker}/rotate fleet:write a=b
      POST   /console/workers/{worker}/{deed} fleet:write a=b
      POST   /console/workers/{worker}/remove fleet:write a=b
      GET    /console/providers              tasks:read
      GET    /console/providers/now          tasks:read
      POST   /console/providers/adopt/{id}   tasks:write a=b
      GET    /console/webhooks               webhooks:read
      POST   /console/webhooks               webhooks:write url=https://hooks.invalid/y
      GET    /console/webhooks/{id}          webhooks:read
      GET    /console/webhooks/{id}/deliveries/{message} webhooks:read
      POST   /console/webhooks/{id}/deliveries/{message}/redeliver webhooks:write a=b
      POST   /console/webhooks/{id}/change   webhooks:write url=https://hooks.invalid/z
      POST   /console/webhooks/{id}/rotate   webhooks:write a=b
      POST   /console/webhooks/{id}/redeliver webhooks:write a=b
      POST   /console/webhooks/{id}/{deed}   webhooks:write a=b
      POST   /console/webhooks/{id}/delete   webhooks:write a=b
      GET    /console/keys                   keys:read
      POST   /console/keys                   keys:write name=n&role=user
      POST   /console/origins                origins:write origins=https://app.example.com
      POST   /console/keys/{id}/revoke       keys:write a=b
      GET    /console/audit                  audit:read
      GET    /console/catalogue              catalogue:write
      POST   /console/catalogue/reload       catalogue:write a=b
      GET    /console/catalogue/check        catalogue:write
      POST   /console/catalogue/check        catalogue:write name=a.yaml&text=x
      POST   /console/effects/pause/{slug*}  catalogue:write a=b
      POST   /console/effects/resume/{slug*} catalogue:write a=b
      POST   /console/sign-out               console:write a=b
      """;

  /** More ways to name somebody else's things: in a query, a filter or an input. */
  private static final String NAMED_ELSEWHERE =
      """
      GET    /api/jobs?batch=<batch>         jobs:read
      GET    /api/jobs?cursor=<job>          jobs:read
      GET    /api/batches?cursor=<batch>     jobs:read
      GET    /api/files?cursor=<file>        files:read
      GET    /api/admin/tasks?cursor=<task>  tasks:read
      GET    /api/admin/audit?target=<job>   audit:read
      GET    /console/jobs?q=batch:<batch>   jobs:read
      GET    /console/jobs?q=id:<job>        jobs:read
      POST   /api/jobs                       jobs:write  {"effect":"enlarge/one","input":{"picture":"<file>"}}
      POST   /api/admin/tasks                tasks:write {"action":"cancel","filter":{"batch":"<batch>"},"dry_run":true}
      """;

  private RouteTable() {}

  /** The lines that stand for a route each. */
  static List<RouteRow> routes() {
    return rows(JOBS, ADMINISTRATION, OPERATION, WORKERS, OPEN, PAGES);
  }

  /** Those, and more requests to some of them. */
  static List<RouteRow> all() {
    return Stream.concat(routes().stream(), rows(NAMED_ELSEWHERE).stream())
        .sorted(Comparator.comparingInt(RouteTable::turn))
        .toList();
  }

  /** Who only looks goes first, and what ends something last, so that there is something to ask. */
  private static int turn(RouteRow row) {
    boolean ends =
        row.method().equals("DELETE")
            || row.template().matches(".*/(delete|remove|revoke|sign-out|deregister)");
    return row.reads() ? 0 : ends ? 2 : 1;
  }

  private static List<RouteRow> rows(String... texts) {
    return Stream.of(texts).flatMap(String::lines).map(RouteRow::of).toList();
  }
}
