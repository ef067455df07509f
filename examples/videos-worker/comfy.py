"""Where workflows run: a ComfyUI beside the worker, or Comfy Cloud."""

import json
import mimetypes
import os
import time
import urllib.parse
import uuid

from http_calls import download, get_json, send, send_json

RUN_SECONDS = 3600


class Comfy:
    """What both have in common."""

    def __init__(self, base, headers, pause):
        self.base, self.headers, self.pause = base.rstrip("/"), headers, pause

    def upload(self, path):
        """Brings a file, and returns the name that workflows have for it."""
        boundary = uuid.uuid4().hex
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        with open(path, "rb") as file:
            content = file.read()
        head = (
            '--{0}\r\nContent-Disposition: form-data; name="type"\r\n\r\ninput\r\n'
            '--{0}\r\nContent-Disposition: form-data; name="overwrite"\r\n\r\ntrue\r\n'
            '--{0}\r\nContent-Disposition: form-data; name="image"; filename="{1}"\r\n'
            "Content-Type: {2}\r\n\r\n"
        ).format(boundary, os.path.basename(path), kind)
        body = head.encode() + content + "\r\n--{0}--\r\n".format(boundary).encode()
        headers = {**self.headers, "Content-Type": "multipart/form-data; boundary=" + boundary}
        with send("POST", self.base + "/upload/image", body, headers, timeout=300) as answer:
            uploaded = json.load(answer)
        return "/".join(part for part in (uploaded.get("subfolder"), uploaded["name"]) if part)

    def submit(self, workflow, client):
        payload = {"prompt": workflow, "client_id": client}
        return send_json(self.base + "/prompt", payload, self.headers)["prompt_id"]

    def wait(self, prompt, heart):
        """Returns the outputs of each node once there are any."""
        end = time.monotonic() + RUN_SECONDS
        while time.monotonic() < end:
            heart.check()
            outputs = self.outputs(prompt)
            if outputs is not None:
                if not outputs:
                    raise RuntimeError("ComfyUI made nothing.")
                return outputs
            self.pause()
        raise TimeoutError("ComfyUI took longer than an hour.")

    def fetch(self, made):
        query = urllib.parse.urlencode(
            {
                "filename": made["filename"],
                "subfolder": made.get("subfolder", ""),
                "type": made.get("type", "output"),
            }
        )
        return download(self.base + "/view?" + query, made["filename"], self.headers)


class ComfyUi(Comfy):
    """The provider `self_hosted`."""

    def outputs(self, prompt):
        record = get_json(self.base + "/history/" + prompt).get(prompt)
        if not record:
            return None
        status = record.get("status", {})
        if status.get("status_str") == "error":
            raise RuntimeError(first_error(status))
        return record.get("outputs", {})


class ComfyCloud(Comfy):
    """The provider `cloud`."""

    GOOD, BAD = ("completed", "success"), ("error", "failed", "cancelled", "canceled")

    def __init__(self, base, key, pause):
        super().__init__(base.rstrip("/") + "/api", {"X-API-Key": key}, pause)

    def outputs(self, prompt):
        status = get_json(self.base + "/job/" + prompt + "/status", self.headers).get("status")
        if status in self.BAD:
            raise RuntimeError("Comfy Cloud ended the job: " + status + ".")
        if status not in self.GOOD:
            return None
        history = get_json(self.base + "/history_v2/" + prompt, self.headers)
        return history.get(prompt, {}).get("outputs", {})


def first_error(status):
    for name, facts in status.get("messages", []):
        if name == "execution_error":
            said = facts.get("exception_message", "ComfyUI failed.")
            return json.dumps({"exception_message": said})
    return "ComfyUI failed."


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


def output_file(outputs, node):
    """The target node's first file, or else any node's."""
    named = node is not None and str(node) in outputs
    for found in [outputs[str(node)]] if named else outputs.values():
        for kind in ("videos", "gifs", "images", "files"):
            if found.get(kind):
                return found[kind][0]
    raise RuntimeError("No node has made a file.")
