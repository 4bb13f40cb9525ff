# One image for the API, worker, notifier, dashboard and command line, which differ only in their command. TypeScript runs without a build; only the
# pages of the dashboard are built.
# NODE_IMAGE: another name of, or mirror for, the official image. NPM_CONFIG_REGISTRY: where npm asks, when not at its default.
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS packages
# Unset by default, and only used in this stage.
ARG NPM_CONFIG_REGISTRY
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Half of the files are used by editors and debuggers only.
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

FROM ${NODE_IMAGE} AS documentation
ARG NPM_CONFIG_REGISTRY
WORKDIR /app
COPY docs-site/package.json docs-site/package-lock.json docs-site/.npmrc docs-site/
RUN npm ci --prefix docs-site --ignore-scripts --no-audit --no-fund
COPY . .
RUN node apps/api/copy-docs-files.ts /documentation \
 && node scripts/docs-site/build.ts /documentation/docs-site/dist

FROM ${NODE_IMAGE}
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
# The API serves its own documentation: the site, its pages as Markdown, and the files that it links to.
COPY --from=documentation /documentation ./
COPY libs libs
COPY apps apps
COPY --from=pages /app/apps/dashboard/dist apps/dashboard/dist
# A container has its own network: the published ports determine who can reach it.
ENV NODE_ENV=production HOST=:: PORT=8080 OPS_PORT=9090 DASHBOARD_PORT=8081 PATH=/app/node_modules/.bin:$PATH
# If /tmp is writable, commands start in half the time, and npx works; it is optional.
ENV NODE_COMPILE_CACHE=/tmp/compile-cache npm_config_cache=/tmp/npm npm_config_update_notifier=false
# As a number, so that an orchestrator can verify that it is not root. The user cannot write anything below /app, and does not need to.
USER 1000:1000
EXPOSE 8080 8081 9090
# The check starts a Node process, which takes seconds on a busy machine.
HEALTHCHECK --interval=5s --timeout=15s --start-period=60s --retries=3 CMD ["clanxp", "healthcheck"]
# The base image's entry point executes the command, so that node is process 1 and receives SIGTERM.
CMD ["node", "apps/api/main.ts"]

# Last, because these values change more often than the layers above.
ARG VERSION=0.3.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Clan XP" \
      org.opencontainers.image.description="Self-hosted service that stores experience points (XP) for clan members." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENV BUILD_COMMIT=${REVISION}
