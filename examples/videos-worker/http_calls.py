"""HTTP with Python's standard library."""

import json
import os
import tempfile
import urllib.parse
import urllib.request

CHUNK = 1 << 20
SECRETS = ("X-api-key", "Authorization")


class CarefulRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect to another host gets none of our secrets."""

    def redirect_request(self, request, *answer):
        next_request = super().redirect_request(request, *answer)
        if next_request is not None and next_request.host != request.host:
            for name in SECRETS:
                next_request.headers.pop(name, None)
        return next_request


OPENER = urllib.request.build_opener(CarefulRedirects)


def send(method, url, body=None, headers=None, timeout=60):
    request = urllib.request.Request(url, data=body, method=method, headers=headers or {})
    return OPENER.open(request, timeout=timeout)


def send_json(url, payload, headers=None):
    headers = {"Content-Type": "application/json", **(headers or {})}
    with send("POST", url, json.dumps(payload).encode(), headers) as answer:
        return json.load(answer)


def get_json(url, headers=None):
    with send("GET", url, headers=headers) as answer:
        return json.load(answer)


def unlink(path):
    try:
        if path:
            os.remove(path)
    except OSError:
        pass


def download(url, name=None, headers=None):
    """To a file of its own; the caller removes it."""
    suffix = os.path.splitext(name or urllib.parse.urlsplit(url).path)[1] or ".bin"
    target = tempfile.NamedTemporaryFile(delete=False, suffix=suffix)
    try:
        with target, send("GET", url, headers=headers) as source:
            while chunk := source.read(CHUNK):
                target.write(chunk)
        return target.name
    except BaseException:
        unlink(target.name)
        raise
