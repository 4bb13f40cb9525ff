#!/bin/sh
# Starts the Sentinel with this name, for the master that another Sentinel names, or for the node `redis`. What it learns
# is lost with its container, as are the addresses; its id remains, so that the others know it again. A failover that was
# not completed, as after an election without a winner, is tried again after twice its timeout.
set -eu
umask 077
. /etc/clanxp/find-master.sh
if [ -z "$master" ]; then master=$(getent hosts redis | cut -d ' ' -f 1); fi
cat > /tmp/sentinel.conf <<SETTINGS
port 26379
dir /tmp
requirepass $REDISCLI_AUTH
sentinel myid $(echo "$1" | sha1sum | cut -c 1-40)
sentinel sentinel-pass $REDISCLI_AUTH
sentinel monitor clanxp $master 6379 2
sentinel auth-pass clanxp $REDISCLI_AUTH
sentinel down-after-milliseconds clanxp 3000
sentinel failover-timeout clanxp 5000
SETTINGS
unset REDISCLI_AUTH
exec redis-server /tmp/sentinel.conf --sentinel
