#!/usr/bin/env python3
"""A worker of the dialect `videos`: it polls for jobs, runs them in a ComfyUI beside it, and brings
what comes out. Written from the platform's own document; nothing but Python's standard library."""

import json
import mimetypes
import os
import signal
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

API = os.environ.get("API_BASE_URL", "http://127.0.0.1:8080/videos").rstrip("/")
FLEET_SECRET = os.environ.get("FLEET_SECRET", "")
WORKER_ID = os.environ.get("WORKER_ID", "worker-" + str(uuid.uuid4()))
WORKFLOW_SLUGS = [slug for slug in os.environ.get("WORKFLOW_SLUGS", "").split(",") if slug]
PROVIDERS = os.environ.get("PROVIDERS", "self_hosted").split(",")
COMFYUI = os.environ.get("COMFYUI_BASE_URL", "http://localhost:8188").rstrip("/")
POLL_SECONDS = float(os.environ.get("POLL_INTERVAL_SECONDS", "3"))
HEARTBEAT_SECONDS = float(os.environ.get("HEARTBEAT_INTERVAL_SECONDS", "30"))
HISTORY_SECONDS = float(os.environ.get("HISTORY_INTERVAL_SECONDS", "2"))
SPOT_URL = os.environ.get("SPOT_METADATA_URL", "")  # ends with /latest/meta-data/spot/instance-action
RUN_SECONDS = 3600
CHUNK = 1 << 20

shutdown = threading.Event()
asset_cache = {}  # (endpoint, content hash): the name that ComfyUI gave it


class Interrupted(Exception):
    """The machine goes away, or the job is no longer wanted here."""


def log(event, **facts):
    print(json.dumps({"event": event, **facts}), file=sys.stderr, flush=True)


def send(method, url, body=None, headers=None, timeout=60):
    request = urllib.request.Request(url, data=body, method=method, headers=headers or {})
    return urllib.request.urlopen(request, timeout=timeout)


def send_json(url, payload, headers=None):
    headers = {"Content-Type": "application/json", **(headers or {})}
    with send("POST", url, json.dumps(payload).encode(), headers) as answer:
        return json.load(answer)


class Backend:
    """The seven calls."""

    def __init__(self):
        self.token = None

    def call(self, name, payload, secret=None):
        headers = {"X-Fleet-Secret": secret} if secret else {"Authorization": "Bearer " + self.token}
        return send_json(API + "/api/worker/" + name, payload, headers)

    def register(self):
        answer = self.call(
            "register",
            {
                "worker_id": WORKER_ID,
                "workflow_slugs": WORKFLOW_SLUGS,
                "max_concurrency": 1,
                "capabilities": {"python": sys.version.split()[0]},
            },
            FLEET_SECRET,
        )
        self.token = answer["token"]
        log("registered", workflows=answer["workflows_assigned"])

    def poll(self):
        answer = self.call(
            "poll",
            {
                "worker_id": WORKER_ID,
                "providers": PROVIDERS,
                "current_load": 0,
                "max_concurrency": 1,
            },
        )
        return answer.get("job")

    def report(self, name, job, **more):
        lease = {"dispatch_id": job["dispatch_id"], "lease_token": job["lease_token"]}
        return self.call(name, {**lease, "worker_id": WORKER_ID, **more})

    def deregister(self):
        self.call("deregister", {"worker_id": WORKER_ID})


class Heart(threading.Thread):
    """Keeps a lease alive while its job runs, and hears when the job is to stop."""

    def __init__(self, backend, job):
        super().__init__(daemon=True)
        self.backend, self.job = backend, job
        self.over, self.lost = threading.Event(), threading.Event()

    def run(self):
        while not self.over.wait(HEARTBEAT_SECONDS):
            try:
                if self.backend.report("heartbeat", self.job).get("cancel"):
                    self.lost.set()
            except urllib.error.HTTPError as error:
                if error.code in (401, 404, 409):
                    self.lost.set()
            except OSError as error:
                log("heartbeat_failed", reason=str(error))

    def check(self):
        if shutdown.is_set() or self.lost.is_set():
            raise Interrupted()


def unlink(path):
    try:
        if path:
            os.remove(path)
    except OSError:
        pass


def download(url, name=None):
    """To a file of its own; the caller removes it."""
    suffix = os.path.splitext(name or urllib.parse.urlsplit(url).path)[1] or ".bin"
    target = tempfile.NamedTemporaryFile(delete=False, suffix=suffix)
    try:
        with target, send("GET", url) as source:
            while chunk := source.read(CHUNK):
                target.write(chunk)
        return target.name
    except BaseException:
        unlink(target.name)
        raise


def upload_to_comfyui(path):
    boundary = uuid.uuid4().hex
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    with open(path, "rb") as file:
        content = file.read()
    body = b"".join(
        [
            b'--%s\r\nContent-Disposition: form-data; name="type"\r\n\r\ninput\r\n' % boundary.encode(),
            b'--%s\r\nContent-Disposition: form-data; name="overwrite"\r\n\r\ntrue\r\n' % boundary.encode(),
            b'--%s\r\nContent-Disposition: form-data; name="image"; filename="%s"\r\nContent-Type: %s\r\n\r\n'
            % (boundary.encode(), os.path.basename(path).encode(), kind.encode()),
            content,
            b"\r\n--%s--\r\n" % boundary.encode(),
        ]
    )
    headers = {"Content-Type": "multipart/form-data; boundary=" + boundary}
    with send("POST", COMFYUI + "/upload/image", body, headers, timeout=300) as answer:
        uploaded = json.load(answer)
    return "/".join(part for part in (uploaded.get("subfolder"), uploaded["name"]) if part)


def place_assets(assets):
    """Brings a job's files to ComfyUI, and says what stands in for each placeholder."""
    names = {}
    for asset in assets:
        placeholder = asset.get("placeholder")
        if not placeholder or not asset.get("download_url"):
            continue
        key = (COMFYUI, asset.get("content_hash"))
        cached = key[1] and not asset.get("is_primary_input")
        if cached and key in asset_cache:
            names[placeholder] = asset_cache[key]
            continue
        path = download(asset["download_url"])
        try:
            names[placeholder] = upload_to_comfyui(path)
        finally:
            unlink(path)
        if cached:
            asset_cache[key] = names[placeholder]
    return names


def prepare_workflow(payload, names):
    workflow = payload.get("workflow")
    if not workflow:
        raise ValueError("There is no ComfyUI workflow in input_payload.")

    def filled(value):
        if isinstance(value, dict):
            return {key: filled(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [filled(inner) for inner in value]
        if isinstance(value, str):
            for placeholder, name in names.items():
                value = value.replace(placeholder, name)
        return value

    return filled(workflow)


def run_comfyui(workflow, heart):
    prompt = send_json(COMFYUI + "/prompt", {"prompt": workflow, "client_id": WORKER_ID})["prompt_id"]
    end = time.monotonic() + RUN_SECONDS
    while time.monotonic() < end:
        heart.check()
        with send("GET", COMFYUI + "/history/" + prompt) as answer:
            record = json.load(answer).get(prompt)
        if record:
            status = record.get("status", {})
            if status.get("status_str") == "error":
                raise RuntimeError(first_error(status))
            if record.get("outputs"):
                return prompt, record["outputs"]
        shutdown.wait(HISTORY_SECONDS)
    raise TimeoutError("ComfyUI took longer than an hour.")


def first_error(status):
    for name, facts in status.get("messages", []):
        if name == "execution_error":
            return json.dumps({"exception_message": facts.get("exception_message", "ComfyUI failed.")})
    return "ComfyUI failed."


def output_file(outputs, node):
    """The target node's first file, or else any node's."""
    nodes = [outputs[str(node)]] if node is not None and str(node) in outputs else list(outputs.values())
    for found in nodes:
        for kind in ("videos", "gifs", "images", "files"):
            if found.get(kind):
                return found[kind][0]
    raise RuntimeError("No node has made a file.")


def process(job, backend, heart):
    if job["provider"] != "self_hosted":
        raise RuntimeError("This worker has no " + job["provider"] + ".")
    payload = job.get("input_payload") or {}
    names = place_assets(payload.get("assets") or [])
    prompt, outputs = run_comfyui(prepare_workflow(payload, names), heart)
    made = output_file(outputs, payload.get("output_node_id"))
    query = urllib.parse.urlencode(
        {
            "filename": made["filename"],
            "subfolder": made.get("subfolder", ""),
            "type": made.get("type", "output"),
        }
    )
    path = download(COMFYUI + "/view?" + query, made["filename"])
    try:
        heart.check()
        size = os.path.getsize(path)
        with open(path, "rb") as content:
            headers = {**job["output_headers"], "Content-Length": str(size)}
            send("PUT", job["output_url"], content, headers, timeout=300).close()
        backend.report(
            "complete",
            job,
            provider_job_id=prompt,
            output={"size": size, "mime_type": mimetypes.guess_type(path)[0] or "video/mp4"},
        )
        log("completed", job=job["dispatch_id"])
    finally:
        unlink(path)


def run(job, backend):
    log("leased", job=job["dispatch_id"], effect=job.get("effect_id"))
    heart = Heart(backend, job)
    heart.start()
    try:
        process(job, backend, heart)
    except Interrupted:
        if shutdown.is_set() and not heart.lost.is_set():
            backend.report("requeue", job, reason="the machine goes away")
        log("stopped", job=job["dispatch_id"])
    except Exception as error:  # Whatever it was, its job has failed.
        log("failed", job=job["dispatch_id"], reason=type(error).__name__)
        if not heart.lost.is_set():
            backend.report("fail", job, error_message=str(error))
    finally:
        heart.over.set()


def watch_spot():
    """A Spot machine says two minutes before that it goes."""
    while not shutdown.wait(5):
        try:
            send("GET", SPOT_URL, timeout=2).close()
            shutdown.set()
        except OSError:
            pass


def main():
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: shutdown.set())
    if SPOT_URL:
        threading.Thread(target=watch_spot, daemon=True).start()
    backend = Backend()
    backend.register()
    try:
        while not shutdown.is_set():
            try:
                job = backend.poll()
                if job:
                    run(job, backend)
                    continue
            except urllib.error.HTTPError as error:
                log("refused", status=error.code)
                if error.code == 401:
                    return 1
            except OSError as error:
                log("backend_away", reason=str(error))
            shutdown.wait(POLL_SECONDS)
        return 0
    finally:
        try:
            backend.deregister()
            log("deregistered")
        except OSError as error:
            log("not_deregistered", reason=str(error))


if __name__ == "__main__":
    sys.exit(main())
