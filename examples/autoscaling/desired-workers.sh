#!/bin/sh
# Sets the size of an Auto Scaling group to what a workflow's queue needs: one slot for each job that runs or could
# start. Run it every minute, from cron or a timer. See README.md beside it for the variables.
set -eu
: "${MILLRACE_URL:?}" "${MILLRACE_API_KEY:?}" "${WORKFLOW:?}" "${GROUP:?}"
SLOTS="${SLOTS:-1}"
LEAST="${LEAST:-0}"
MOST="${MOST:-10}"

# By its standard input, so that nobody finds the key among the running processes.
queue=$(printf 'header = "Authorization: Bearer %s"\n' "$MILLRACE_API_KEY" |
  curl -fsS -m 20 -K - "$MILLRACE_URL/api/admin/queues/$WORKFLOW")
demand=$(printf '%s' "$queue" | sed -n 's/.*"demand" *: *\([0-9][0-9]*\).*/\1/p')
if [ -z "$demand" ]; then
  echo "The server didn't say how many jobs there are, so the group stays as it is." >&2
  exit 1
fi

workers=$(((demand + SLOTS - 1) / SLOTS))
if [ "$workers" -lt "$LEAST" ]; then workers=$LEAST; fi
if [ "$workers" -gt "$MOST" ]; then workers=$MOST; fi
aws autoscaling set-desired-capacity --auto-scaling-group-name "$GROUP" --desired-capacity "$workers"
