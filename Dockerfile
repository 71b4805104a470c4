# One node of the service. Needs a database (DATABASE_URL), its keys (ENCRYPTION_KEY, OPERATOR_TOKEN) and a folder for the journal
# of erasures (ERASURE_JOURNAL): nothing is kept in the container, so a container that is thrown away loses nothing. test/deployment.int.test.ts holds this file to the code.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /service
COPY package.json package-lock.json .npmrc ./
# Exactly what the lock file says, without what only tests need, and without the embedded PostgreSQL. Not "npm ci": it
# refuses a lock file that does not name the binaries of every platform there is. Nothing here needs an install script.
RUN npm install --omit=dev --omit=optional --ignore-scripts --no-save --no-audit --no-fund
# What the image is made of, for whoever must know: "npm sbom" takes packages that are absent on purpose for a fault.
RUN npm pkg delete devDependencies && npm sbom --sbom-format cyclonedx > sbom.json

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/tmp/journeys
WORKDIR /service
COPY --from=packages /service/node_modules node_modules
COPY --from=packages /service/sbom.json sbom.json
COPY package.json package.json
COPY src src
# The guides at /docs/guides.
COPY docs docs
# A volume for the journal of erasures (ERASURE_JOURNAL) goes here: it outlives the container, and stands apart from the database.
RUN mkdir -p /var/lib/journeys/erasures && chown 1000:1000 /var/lib/journeys/erasures
# Numbers, so that a cluster can see that it is not root without looking into the image.
USER 1000:1000
# Requests; messages between nodes (RUNNER_ADDRESS), never to be reached from outside.
EXPOSE 3000 34431
STOPSIGNAL SIGTERM
# Alive, not ready: what restarts an unhealthy container must not do so because PostgreSQL is away.
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPS_PORT || process.env.PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--disable-proto=delete", "--disable-sigusr1", "src/runtime/start.js"]
