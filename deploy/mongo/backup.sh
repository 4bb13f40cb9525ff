#!/bin/bash
# Writes an archive of the whole replica set, as of one moment, to BACKUP_DIR, and deletes older archives beyond the
# newest BACKUPS_KEPT. For the CronJob of the chart, and for cron (docs/how-to/back-up-and-restore.md).
# Invariant: a file without .partial at its end is complete, and archives are deleted only after a newer one is complete.
set -euo pipefail
shopt -s nullglob
umask 077
cd "$BACKUP_DIR"

# Of a backup that was interrupted.
rm -f -- clanxp-*.partial
archive="clanxp-$(date -u +%Y%m%dT%H%M%SZ).archive.gz"
# The URL contains a password, and everybody on a machine can read the arguments of a command.
mongodump --config <(printf 'uri: %s\n' "$MONGO_URL") --oplog --gzip --archive="$archive.partial"
sync -- "$archive.partial"
mv -- "$archive.partial" "$archive"

# Their names sort by time.
archives=(clanxp-*.archive.gz)
while [ "${#archives[@]}" -gt "$BACKUPS_KEPT" ]; do
  rm -- "${archives[0]}"
  archives=("${archives[@]:1}")
done
