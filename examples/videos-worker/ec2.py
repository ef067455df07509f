"""What a worker has to do with EC2: it hears that its machine goes, and keeps its group from ending
the machine while a job runs."""

import datetime
import hashlib
import hmac
import json
import urllib.parse

from http_calls import send

NOTICE = "spot/instance-action"


class Machine:
    """The metadata service, version 2."""

    def __init__(self, base):
        self.base = base.rstrip("/")

    def read(self, path):
        ttl = {"X-aws-ec2-metadata-token-ttl-seconds": "300"}
        with send("PUT", self.base + "/latest/api/token", b"", ttl, timeout=2) as answer:
            token = answer.read().decode()
        headers = {"X-aws-ec2-metadata-token": token}
        url = self.base + "/latest/meta-data/" + path
        with send("GET", url, headers=headers, timeout=2) as answer:
            return answer.read().decode()

    def goes(self):
        """Whether the machine will be taken. A Spot machine knows two minutes before."""
        try:
            self.read(NOTICE)
            return True
        except OSError:
            return False

    def credentials(self):
        role = self.read("iam/security-credentials/").split("\n")[0].strip()
        return json.loads(self.read("iam/security-credentials/" + role))


class Protection:
    """Whether the Auto Scaling group may end this machine to become smaller."""

    def __init__(self, machine, group, endpoint=None):
        self.machine, self.group = machine, group
        self.region = machine.read("placement/region")
        self.instance = machine.read("instance-id")
        self.endpoint = endpoint or "https://autoscaling." + self.region + ".amazonaws.com"

    def set(self, on):
        form = urllib.parse.urlencode(
            {
                "Action": "SetInstanceProtection",
                "Version": "2011-01-01",
                "InstanceIds.member.1": self.instance,
                "AutoScalingGroupName": self.group,
                "ProtectedFromScaleIn": "true" if on else "false",
            }
        ).encode()
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        headers = signed(self.endpoint, form, now, self.region, self.machine.credentials())
        send("POST", self.endpoint + "/", form, headers, timeout=10).close()


def signed(endpoint, form, now, region, credentials):
    """The headers of AWS's signature, version 4, for a form that is posted to the root."""
    digest = hashlib.sha256(form).hexdigest()
    headers = {
        "content-type": "application/x-www-form-urlencoded; charset=utf-8",
        "host": urllib.parse.urlsplit(endpoint).netloc,
        "x-amz-content-sha256": digest,
        "x-amz-date": now,
        "x-amz-security-token": credentials["Token"],
    }
    names = ";".join(sorted(headers))
    lines = "".join(name + ":" + headers[name] + "\n" for name in sorted(headers))
    request = "\n".join(["POST", "/", "", lines, names, digest])
    scope = "/".join([now[:8], region, "autoscaling", "aws4_request"])
    hashed = hashlib.sha256(request.encode()).hexdigest()
    text = "\n".join(["AWS4-HMAC-SHA256", now, scope, hashed])
    key = ("AWS4" + credentials["SecretAccessKey"]).encode()
    for part in [*scope.split("/"), text]:
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    headers["authorization"] = (
        "AWS4-HMAC-SHA256 Credential={0}/{1}, SignedHeaders={2}, Signature={3}".format(
            credentials["AccessKeyId"], scope, names, key.hex()
        )
    )
    return headers
