# Debian's Caddy laid out like the official image, for the tests where no image registry can be reached.
FROM debian:bookworm-slim
RUN apt-get -q update && apt-get -qy install --no-install-recommends caddy wget && rm -rf /var/lib/apt/lists/*
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
