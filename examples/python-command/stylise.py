#!/usr/bin/env python3
"""A pipeline for the worker's command executor, without any library.

It reads the job from standard input, says on standard output how far it is, and leaves its
results in the folder that the job names. A real one would call a model or ffmpeg in between.

    COMMAND="python3 /opt/pipelines/stylise.py" java -jar millrace-worker.jar
"""

import json
import os
import sys


def say(**line):
    """One JSON object per line. Flush, or the worker hears of it only at the end."""
    print(json.dumps(line), flush=True)


def main():
    job = json.load(sys.stdin)
    text = job["input"].get("text", "")
    if not isinstance(text, str) or not text:
        # This input can't succeed, however often it is tried.
        say(error="the text is missing", **{"class": "permanent"})
        return 1

    say(progress=10, step="reading", message="Reading the input files")
    sizes = {file["name"]: os.path.getsize(file["path"]) for file in job["files"]}

    say(progress=60, step="styling", message="Styling the text")
    result = os.path.join(job["output_dir"], "styled.txt")
    with open(result, "w", encoding="utf-8") as out:
        out.write(text.upper())
        for name, size in sorted(sizes.items()):
            out.write("\n%s: %d bytes" % (name, size))

    say(summary={"letters": len(text)})
    say(output="styled.txt", media_type="text/plain")
    return 0


if __name__ == "__main__":
    sys.exit(main())
