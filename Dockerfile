# `--target production`, the default: the API, the worker and their commands.
# `--target sandbox`: also the seeded content and the emulators of external services.

FROM node:24-bookworm-slim AS manifests
WORKDIR /app
ENV CI=true pnpm_config_store_dir=/pnpm pnpm_config_verify_deps_before_run=false
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY apps/api/package.json apps/api/
COPY apps/desk/package.json apps/desk/
COPY apps/web/package.json apps/web/
COPY packages/bench/package.json packages/bench/
COPY packages/client/package.json packages/client/
COPY packages/contracts/package.json packages/contracts/
COPY packages/emulators/package.json packages/emulators/
COPY packages/launcher/package.json packages/launcher/
COPY packages/ops/package.json packages/ops/
COPY packages/paste/package.json packages/paste/
COPY packages/ui/package.json packages/ui/
COPY packages/widget/package.json packages/widget/
COPY prisma/package.json prisma/

FROM manifests AS build
RUN --mount=type=cache,target=/pnpm --mount=type=cache,target=/root/.npm \
    npx --yes pnpm@12 install --frozen-lockfile \
      --filter @tidings/api --filter @tidings/desk --filter @tidings/web --filter @tidings/client --filter @tidings/widget --filter @tidings/ui --filter @tidings/contracts --filter @tidings/paste
COPY . .
RUN --mount=type=cache,target=/root/.npm \
    npx --yes pnpm@12 --filter @tidings/api run generate \
    && npx --yes pnpm@12 --filter @tidings/api --filter @tidings/client --filter @tidings/widget --filter @tidings/web --filter @tidings/desk run build

# Production needs no type declarations, no source maps and no other databases of Prisma.
FROM manifests AS production-packages
RUN --mount=type=cache,target=/pnpm --mount=type=cache,target=/root/.npm \
    npx --yes pnpm@12 install --frozen-lockfile --prod --filter @tidings/api --filter @tidings/prisma \
    && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \
      -o -name 'query_compiler_*' -not -name '*.postgresql.*' \) -delete

FROM manifests AS sandbox-packages
RUN --mount=type=cache,target=/pnpm --mount=type=cache,target=/root/.npm \
    npx --yes pnpm@12 install --frozen-lockfile --prod \
      --filter @tidings/api --filter @tidings/contracts --filter @tidings/paste --filter @tidings/prisma --filter @tidings/emulators

FROM node:24-bookworm-slim AS runtime
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# A new volume inherits the owner of its folder.
RUN install --directory --owner=node --group=node /data /backups \
    && printf '#!/bin/sh\nexec node /app/apps/api/dist/commands/tidings.js "$@"\n' > /usr/local/bin/tidings \
    && chmod 755 /usr/local/bin/tidings
VOLUME /data
EXPOSE 3000
USER node
# docker-compose.yml gives the worker another health check, which reads its heartbeat.
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s --retries=3 \
    CMD ["node", "apps/api/dist/commands/healthcheck.js", "api"]
CMD ["node", "apps/api/dist/main.js"]
COPY LICENSE package.json ./
COPY apps/api/package.json apps/api/
COPY prisma/package.json prisma/migrate.ts prisma/migration-history.ts prisma/database-error.ts prisma/
COPY prisma/migrations prisma/migrations

FROM runtime AS sandbox
COPY --from=sandbox-packages /app ./
COPY packages/contracts/src packages/contracts/src
COPY packages/emulators/src packages/emulators/src
COPY packages/paste/src packages/paste/src
COPY apps/api/seed apps/api/seed
COPY --from=build /app/apps/api/src apps/api/src

FROM runtime AS app
ENV NODE_COMPILE_CACHE=/app/compile-cache
COPY --from=production-packages /app/node_modules node_modules
COPY --from=production-packages /app/apps/api/node_modules apps/api/node_modules
COPY --from=production-packages /app/prisma/node_modules prisma/node_modules
COPY --from=build /app/apps/api/dist apps/api/dist
COPY --from=build /app/apps/desk/dist apps/desk/dist
COPY --from=build /app/apps/web/dist apps/web/dist
COPY --from=build /app/packages/client/dist packages/client/dist
COPY --from=build /app/packages/widget/dist packages/widget/dist

# Compiles what the processes load, once with the worker's flags, which have a cache of their own. Without settings both end
# before they connect to anything.
FROM app AS compile-cache
USER root
RUN node apps/api/dist/main.js; node --max-semi-space-size=8 --heap-growing-percent=30 apps/api/dist/worker.js; \
    node apps/api/dist/commands/healthcheck.js; tidings version; test -d "$NODE_COMPILE_CACHE"

FROM app AS production
COPY --from=compile-cache /app/compile-cache compile-cache
ARG VERSION=0.1.0
ARG REVISION=unknown
ENV REVISION=$REVISION
LABEL org.opencontainers.image.title="Tidings" \
      org.opencontainers.image.description="A calm, mobile-first news digest: site, API and worker." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
