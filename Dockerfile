# One image for every process of the production shape; docker-compose.yml says which does what.
FROM python:3.11-slim-trixie AS packages
WORKDIR /build
COPY requirements.txt .
RUN python -m venv /packages \
    && /packages/bin/pip install --no-cache-dir --require-hashes --only-binary=:all: -r requirements.txt

FROM python:3.11-slim-trixie
# The verifier's client takes TLS roots from the operating system; backups are made by PostgreSQL's own programs, of the
# version that docker-compose.yml has. Debian keeps one version of each, with its corrections: a pinned one is gone within weeks.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates postgresql-client-17 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --user-group --home-dir /app hallu \
    && install --directory --owner hallu --group hallu /app/var /app/var/audit
WORKDIR /app
COPY --from=packages /packages /packages
COPY . .
ENV PATH=/packages/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 HALLU_VAR=/app/var
USER 10001
# Production settings, so that the files are compressed. Nothing is connected to, and none of this is kept.
RUN DATABASE_URL=postgresql://none CELERY_BROKER_URL=redis://none \
    DJANGO_SECRET_KEY="$(python -c 'import secrets; print(secrets.token_urlsafe(50))')" \
    python manage.py collectstatic --no-input --verbosity 0
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
# The web process; docker-compose.yml names the others.
CMD ["python", "manage.py", "process", "web", "--host", "0.0.0.0"]
