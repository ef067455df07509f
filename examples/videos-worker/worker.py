#!/usr/bin/env python3
"""A worker of the dialect `videos`: it polls for jobs, runs them in a ComfyUI beside it or at Comfy
Cloud, and brings what comes out. Written from the platform's own document; nothing but Python's
standard library."""

import json
import mimetypes
import os
import signal
import sys
import threading
import urllib.error
import uuid

from comfy import ComfyCloud, ComfyUi, output_file, prepare_workflow
from ec2 import Machine, Protection
from http_calls import download, send, send_json, unlink

API = os.environ.get("API_BASE_URL", "http://127.0.0.1:8080/videos").rstrip("/")
FLEET_SECRET = os.environ.get("FLEET_SECRET", "")
WORKER_ID = os.environ.get("WORKER_ID", "worker-" + str(uuid.uuid4()))
WORKFLOW_SLUGS = [slug for slug in os.environ.get("WORKFLOW_SLUGS", "").split(",") if slug]
PROVIDERS = os.environ.get("PROVIDERS", "self_hosted").split(",")
COMFYUI = os.environ.get("COMFYUI_BASE_URL", "http://localhost:8188")
CLOUD = os.environ.get("COMFY_CLOUD_BASE_URL", "https://cloud.comfy.org")
CLOUD_KEY = os.environ.get("COMFY_CLOUD_API_KEY", "")
METADATA = os.environ.get("METADATA_URL", "")  # http://169.254.169.254 on EC2
GROUP = os.environ.get("AUTO_SCALING_GROUP", "")
SCALING_URL = os.environ.get("AUTO_SCALING_URL", "")
POLL_SECONDS = float(os.environ.get("POLL_INTERVAL_SECONDS", "3"))
HEARTBEAT_SECONDS = float(os.environ.get("HEARTBEAT_INTERVAL_SECONDS", "30"))
HISTORY_SECONDS = float(os.environ.get("HISTORY_INTERVAL_SECONDS", "2"))
SPOT_SECONDS = float(os.environ.get("SPOT_INTERVAL_SECONDS", "5"))

shutdown = threading.Event()
asset_cache = {}  # (endpoint, content hash): the name that ComfyUI gave it


def pause():
    shutdown.wait(HISTORY_SECONDS)


ENGINES = {
    "self_hosted": ComfyUi(COMFYUI, {}, pause),
    "cloud": ComfyCloud(CLOUD, CLOUD_KEY, pause),
}


class Interrupted(Exception):
    """The machine goes away, or the job is no longer wanted here."""


def log(event, **facts):
    print(json.dumps({"event": event, **facts}), file=sys.stderr, flush=True)


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


def place_assets(engine, assets):
    """Brings a job's files to ComfyUI, and says what stands in for each placeholder."""
    names = {}
    for asset in assets:
        placeholder = asset.get("placeholder")
        if not placeholder or not asset.get("download_url"):
            continue
        key = (engine.base, asset.get("content_hash"))
        cached = key[1] and not asset.get("is_primary_input")
        if cached and key in asset_cache:
            names[placeholder] = asset_cache[key]
            continue
        path = download(asset["download_url"])
        try:
            names[placeholder] = engine.upload(path)
        finally:
            unlink(path)
        if cached:
            asset_cache[key] = names[placeholder]
    return names


def process(job, backend, heart):
    engine = ENGINES[job["provider"]]
    payload = job.get("input_payload") or {}
    names = place_assets(engine, payload.get("assets") or [])
    prompt = engine.submit(prepare_workflow(payload, names), WORKER_ID)
    outputs = engine.wait(prompt, heart)
    path = engine.fetch(output_file(outputs, payload.get("output_node_id")))
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


def protect(protection, on):
    """A group that can't be told is no reason to leave a job."""
    try:
        if protection:
            protection.set(on)
    except (OSError, ValueError, KeyError) as error:
        log("not_protected", reason=type(error).__name__)


def run(job, backend, protection):
    log("leased", job=job["dispatch_id"], effect=job.get("effect_id"))
    heart = Heart(backend, job)
    heart.start()
    protect(protection, True)
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
        protect(protection, False)


def watch_spot(machine):
    while not shutdown.wait(SPOT_SECONDS):
        if machine.goes():
            shutdown.set()


def work(backend, protection):
    while not shutdown.is_set():
        try:
            job = backend.poll()
            if job:
                run(job, backend, protection)
                continue
        except urllib.error.HTTPError as error:
            log("refused", status=error.code)
            if error.code == 401:
                return 1
        except OSError as error:
            log("backend_away", reason=str(error))
        shutdown.wait(POLL_SECONDS)
    return 0


def main():
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: shutdown.set())
    machine = Machine(METADATA) if METADATA else None
    protection = Protection(machine, GROUP, SCALING_URL) if machine and GROUP else None
    if machine:
        threading.Thread(target=watch_spot, args=[machine], daemon=True).start()
    backend = Backend()
    backend.register()
    try:
        return work(backend, protection)
    finally:
        try:
            backend.deregister()
            log("deregistered")
        except OSError as error:
            log("not_deregistered", reason=str(error))


if __name__ == "__main__":
    sys.exit(main())
