#!/bin/sh
# Starts a node of Redis with this name, which at its first start is a replica of the node in the second argument, if
# there is one. Sentinel writes into the file who the master is.
set -eu
umask 077
if [ ! -e /data/node.conf ]; then
  {
    cat /run/clanxp/redis.conf
    echo "masterauth $(cat /run/clanxp/password)"
    [ $# -lt 2 ] || echo "replicaof $2 6379"
  } > /data/node.conf.new
  mv /data/node.conf.new /data/node.conf
fi
exec redis-server /data/node.conf --replica-announce-ip "$1" --appendonly yes --appendfsync everysec \
  --maxmemory "$MAXMEMORY" --maxmemory-policy noeviction --dir /data
