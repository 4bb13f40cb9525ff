#!/usr/bin/env bash
# The health check of the compose file's MongoDB, every 2 s, so that no start waits for it. MongoDB's shell takes 0.8 s of
# a core to start: it decides until MongoDB is healthy, then once a minute and whenever roles.js has changed. In between,
# MongoDB must accept a connection.
HEALTHY=/tmp/clanxp-healthy
# Where mongo-health.js keeps the roles.js that it applied last.
APPLIED=/tmp/clanxp-roles.js

exec 3<>/dev/tcp/127.0.0.1/27017 || exit 1
if [ -n "$(find "$HEALTHY" -mmin -1 2>/dev/null)" ] && cmp --quiet /etc/clanxp/mongo/roles.js "$APPLIED"; then
  exit 0
fi
rm -f "$HEALTHY"
mongosh --quiet --norc --nodb --file /etc/clanxp/compose/mongo-health.js || exit 1
touch "$HEALTHY"
