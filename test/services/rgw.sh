#!/usr/bin/env bash
# Ceph RGW 16.2 as Debian 12 has it: rgw.sh <folder> <port>. One monitor, one OSD in memory, no
# manager. Installs radosgw, ceph-mon and ceph-osd where apt can; runs until it is ended. Exit 3:
# what it needs is not there.
set -euo pipefail
folder=$1 port=$2
if ! command -v radosgw >/dev/null; then
  install() { apt-get install -y --no-install-recommends radosgw ceph-mon ceph-osd; }
  if [ "$(id -u)" != 0 ] || ! { install || { apt-get update && install; }; } >/dev/null 2>&1; then
    echo "RGW needs root and Debian 12's packages radosgw, ceph-mon and ceph-osd" >&2
    exit 3
  fi
fi
mkdir -p "$folder"
cd "$(cd "$folder" && pwd)"
fsid=$(cat /proc/sys/kernel/random/uuid)
monitor=127.0.0.1:$((port + 1))
cat >ceph.conf <<CONF
[global]
fsid = $fsid
mon host = v1:$monitor
mon initial members = a
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
run dir = $PWD
admin socket = $PWD/\$name.asok
log file = $PWD/\$name.log
keyring = $PWD/keyring
public addr = 127.0.0.1
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
mon allow pool size one = true
mon max pg per osd = 1000
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 1073741824
[mon.a]
mon data = $PWD/mon
[osd.0]
osd data = $PWD/osd
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:$port
rgw crypt require ssl = false
rgw thread pool size = 32
CONF
ceph_tool() { "$@" >>setup.log 2>&1; }
ceph_tool ceph-authtool keyring --create-keyring --gen-key -n mon. --cap mon 'allow *'
for user in client.admin client.rgw osd.0; do
  ceph_tool ceph-authtool keyring --gen-key -n "$user" --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *'
done
ceph_tool monmaptool --create --fsid "$fsid" --addv a "v1:$monitor" monmap
mkdir -p mon osd
ceph_tool ceph-mon -c ceph.conf -i a --mkfs --monmap monmap --keyring keyring
children=()
trap 'kill "${children[@]}" 2>/dev/null || true; wait' EXIT
trap 'exit 143' TERM INT
ceph-mon -c ceph.conf -i a -f >>mon.out 2>&1 & children+=($!)
osd_id=$(cat /proc/sys/kernel/random/uuid)
ceph_tool timeout 60 ceph -c ceph.conf -n client.admin osd new "$osd_id" 0
ceph_tool ceph-osd -c ceph.conf -i 0 --mkfs --osd-uuid "$osd_id" --keyring keyring
ceph-osd -c ceph.conf -i 0 -f >>osd.out 2>&1 & children+=($!)
ceph_tool timeout 60 ceph -c ceph.conf -n client.admin osd crush add osd.0 1 root=default
until timeout 10 ceph -c ceph.conf -n client.admin osd stat 2>>setup.log | grep -q '1 up'; do sleep 0.5; done
ceph_tool timeout 120 radosgw-admin -c ceph.conf -n client.rgw user create --uid tester --display-name tester \
  --access-key tester --secret-key testsecret
radosgw -c ceph.conf -n client.rgw -f >>rgw.out 2>&1 & children+=($!)
wait -n
