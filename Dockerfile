# The wheel is built in one stage; the other has Python, the wheel and its dependencies, and no compiler.

FROM python:3.11-slim-bookworm AS build
RUN apt-get update \
 && apt-get install --yes --no-install-recommends gcc libc6-dev \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN python -m pip wheel --no-cache-dir --wheel-dir /wheels .

FROM python:3.11-slim-bookworm
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    python -m pip install --no-cache-dir --no-index --find-links /wheels bonnard \
 && groupadd --gid 10001 bonnard \
 && useradd --uid 10001 --gid bonnard --no-create-home --home-dir /data --shell /usr/sbin/nologin bonnard \
 && install --directory --owner bonnard --group bonnard /data

# Peers come from outside the container: listen on all its addresses, and narrow it with BONNARD_SERVE_ALLOW.
ENV BONNARD_SERVE_HOST=0.0.0.0 \
    BONNARD_DATA_DIRECTORY=/data \
    PYTHONUNBUFFERED=1
USER bonnard
WORKDIR /data
VOLUME /data
EXPOSE 27531
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=10s CMD ["bonnard", "health"]
ENTRYPOINT ["bonnard"]
CMD ["serve"]
