#!/bin/sh
# Starts a node of Redis. With the profile `sentinel` it is a replica of the master that a Sentinel names; if none does,
# as at the first start, of the node in the argument, or without an argument the master.
set -eu
umask 077
master=
case $REDIS_URL_FILE in *sentinel*) . /etc/clanxp/find-master.sh ;; esac
: "${master:=${1:-}}"
if [ "$master" = "$(hostname -i)" ]; then master=; fi
{
  cat /run/clanxp/redis.conf
  echo "masterauth $(cat /run/clanxp/password)"
  [ -z "$master" ] || echo "replicaof $master 6379"
} > /tmp/node.conf
unset REDISCLI_AUTH
exec redis-server /tmp/node.conf --appendonly yes --appendfsync everysec --maxmemory "$MAXMEMORY" \
  --maxmemory-policy noeviction --dir /data
