# The image writes nothing but its volume: run it with a read-only root file system.
#   docker build -t tieout .
#   docker run --read-only -v "$PWD/exports:/exports:ro" -v "$PWD/jobs:/srv/tieout/jobs:ro" -v runs:/srv/tieout/.tieout \
#     tieout run refunds --as-of 2026-08-10 --inputs /exports
FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json LICENSE NOTICE ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts ./scripts
COPY schemas ./schemas
COPY src ./src
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /srv/tieout
COPY --from=build /build/package.json /build/LICENSE /build/NOTICE /opt/tieout/
COPY --from=build /build/node_modules /opt/tieout/node_modules
COPY --from=build /build/schemas /opt/tieout/schemas
COPY --from=build /build/dist /opt/tieout/dist
RUN ln -s /opt/tieout/dist/bin.js /usr/local/bin/tieout
# A named volume takes the owner of the folder that it covers.
RUN mkdir .tieout && chown node:node .tieout
USER node
VOLUME ["/srv/tieout/.tieout"]
ENTRYPOINT ["tieout"]
