#!/bin/sh
# Starts the Sentinel with this name. It keeps what it learns in the file: which node is the master, and which Sentinels
# there are.
set -eu
umask 077
if [ ! -e /data/sentinel.conf ]; then
  password=$(cat /run/clanxp/password)
  cat > /data/sentinel.conf.new <<SETTINGS
port 26379
dir /data
requirepass $password
sentinel resolve-hostnames yes
sentinel announce-hostnames yes
sentinel announce-ip $1
sentinel sentinel-pass $password
sentinel monitor clanxp redis 6379 2
sentinel auth-pass clanxp $password
sentinel down-after-milliseconds clanxp 3000
sentinel failover-timeout clanxp 30000
SETTINGS
  mv /data/sentinel.conf.new /data/sentinel.conf
fi
exec redis-server /data/sentinel.conf --sentinel
