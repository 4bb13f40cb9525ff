# Sets `master` to the address of the master of Redis that a Sentinel names, or to nothing. By address and not by name:
# the name of a container that has failed cannot be looked up, and a Sentinel that tries it stops for seconds.
REDISCLI_AUTH=$(cat /run/clanxp/password)
export REDISCLI_AUTH
master=
for sentinel in sentinel-1 sentinel-2 sentinel-3; do
  master=$(timeout 2 redis-cli -h "$sentinel" -p 26379 --raw SENTINEL get-master-addr-by-name clanxp 2>/dev/null | head -n 1) || true
  case $master in *.*.*.* | *:*:*) break ;; *) master= ;; esac
done
