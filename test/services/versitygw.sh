#!/usr/bin/env bash
# versitygw 1.8.0 on a folder: versitygw.sh <folder> <port>. Built once by the Go tool chain into the
# cache; runs until it is ended. Exit 3: what it needs is not there.
set -euo pipefail
folder=$1 port=$2
cache=${TIEOUT_SERVICES:-$HOME/.cache/tieout-services}
gateway=$cache/bin/versitygw
if [ ! -x "$gateway" ]; then
  command -v go >/dev/null || { echo "versitygw needs Go 1.24 or later, to build it once (about 150 CPU-seconds)" >&2; exit 3; }
  GOBIN=$cache/bin nice go install github.com/versity/versitygw/cmd/versitygw@v1.8.0 >&2
fi
mkdir -p "$folder/root" "$folder/versions"
folder=$(cd "$folder" && pwd)
exec "$gateway" -p "127.0.0.1:$port" --access tester --secret testsecret --quiet \
  posix --versioning-dir "$folder/versions" "$folder/root"
