# The one image: API, worker, dashboard and command line, which differ in their command alone. TypeScript runs as it is; only the pages of
# the dashboard are built.
# NODE_IMAGE: another name of, or mirror for, the official image. NPM_CONFIG_REGISTRY: where npm asks, when not at its default.
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS packages
# Unset unless given at the build; it stays in this stage.
ARG NPM_CONFIG_REGISTRY
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# What only editors and debuggers read is half of the files.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
 && printf '#!/bin/sh\nexec node /app/apps/cli/main.ts "$@"\n' > node_modules/.bin/clanxp \
 && chmod 755 node_modules/.bin/clanxp

FROM ${NODE_IMAGE} AS pages
ARG NPM_CONFIG_REGISTRY
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts scripts
COPY libs libs
COPY apps/dashboard apps/dashboard
RUN node scripts/dashboard/build.ts /app/apps/dashboard/dist

FROM ${NODE_IMAGE}
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
# The API serves its own documentation.
COPY docs docs
COPY libs libs
COPY apps apps
COPY --from=pages /app/apps/dashboard/dist apps/dashboard/dist
# In a container the network is the container's own: who may reach it is decided by what is published.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 OPS_PORT=9090 DASHBOARD_PORT=8081 PATH=/app/node_modules/.bin:$PATH
# Where /tmp can be written, commands start in half the time, and npx works; nothing needs it.
ENV NODE_COMPILE_CACHE=/tmp/compile-cache npm_config_cache=/tmp/npm npm_config_update_notifier=false
# By number, so that an orchestrator can see that it is not root. Nothing below /app is writable for it, and nothing has to be.
USER 1000:1000
EXPOSE 8080 8081 9090
# The check starts a Node process, which takes seconds on a busy machine.
HEALTHCHECK --interval=5s --timeout=15s --start-period=60s --retries=3 CMD ["clanxp", "healthcheck"]
# The image's own entry point passes on to the command, so that node itself is process 1 and gets SIGTERM.
CMD ["node", "apps/api/main.ts"]

# Last, since they change oftener than what is above.
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Clan XP" \
      org.opencontainers.image.description="Queue-backed award processor: XP awards over HTTP, each counted exactly once." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENV BUILD_COMMIT=${REVISION}
