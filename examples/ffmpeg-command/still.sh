#!/bin/sh
# A pipeline of ffmpeg for the worker's command executor. Needs ffmpeg and jq.
#
#   COMMAND="sh /opt/pipelines/still.sh" java -jar millrace-worker.jar
set -eu

job=$(cat)
video=$(printf '%s' "$job" | jq -r '.files[] | select(.name == "video") | .path')
second=$(printf '%s' "$job" | jq -r '.input.second')
out=$(printf '%s' "$job" | jq -r '.output_dir')

echo '{"progress": 20, "step": "decoding", "message": "Looking for the frame"}'
if ! ffmpeg -nostdin -loglevel error -ss "$second" -i "$video" -frames:v 1 "$out/still.png"; then
  # The same file fails again, so another try is of no use.
  echo '{"error": "this video can not be read", "class": "permanent"}'
  exit 1
fi
echo '{"progress": 90, "step": "done"}'
echo '{"output": "still.png", "media_type": "image/png"}'
