# Debian's HAProxy laid out like the official image, for the tests where no image registry can be reached.
FROM debian:bookworm-slim
RUN apt-get -q update && apt-get -qy install --no-install-recommends haproxy && rm -rf /var/lib/apt/lists/*
USER haproxy
STOPSIGNAL SIGUSR1
CMD ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
