# Debian's Redis laid out like the official image (user 999, /data), for the tests where no image registry can be reached.
FROM debian:bookworm-slim
RUN groupadd --system --gid 999 redis && useradd --system --uid 999 --gid redis --home /data redis \
 && apt-get -q update && apt-get -qy install --no-install-recommends redis-server && rm -rf /var/lib/apt/lists/* \
 && install -d -o redis -g redis /data
WORKDIR /data
VOLUME /data
USER redis
EXPOSE 6379
CMD ["redis-server", "--protected-mode", "no"]
