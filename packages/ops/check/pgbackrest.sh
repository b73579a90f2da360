#!/usr/bin/env bash
# Runs the commands of "Continuous archiving" in OPERATING.md once: archive, full backup, a mistake, and the way back to
# the moment before it. Then checks that Tidings sends nothing until it is confirmed. Needs Docker and a build.
set -euo pipefail

root=$(cd "$(dirname "$0")/../../.." && pwd)
port=${PGBACKREST_PORT:-4150}
name=tidings-pgbackrest-$$
data=$(mktemp --directory)
password=check-only
secrets=(--env PGBACKREST_REPO1_CIPHER_PASS=check-only)
volumes=(--volume "$name-data:/var/lib/postgresql" --volume "$name-backups:/backups")
# The Node of this repository.
export PATH=$root/node_modules/.bin:$PATH
export DATABASE_URL=postgresql://tidings:$password@127.0.0.1:$port/tidings DATA_DIR=$data
worker=

say() { printf '%s\n' "$*"; }
fail() { say "✗ $*"; exit 1; }
clean() {
  [ -z "$worker" ] || kill "$worker" 2>/dev/null || true
  docker rm --force "$name" >/dev/null 2>&1 || true
  docker volume rm --force "$name-data" "$name-backups" >/dev/null 2>&1 || true
  rm -rf "$data"
}
trap clean EXIT

pgbackrest() { docker exec --user postgres "$name" pgbackrest --stanza=tidings "$@"; }
sql() { docker exec --user postgres "$name" psql --username=tidings --dbname=tidings --no-align --tuples-only --quiet --command="$1"; }
tidings() { node "$root/apps/api/dist/commands/tidings.js" "$@"; }
timed() {
  local what=$1 began=$EPOCHREALTIME
  shift
  "$@"
  say "✓ $what: $(awk "BEGIN { printf \"%.1f\", $EPOCHREALTIME - $began }") s"
}
ready() {
  for _ in $(seq 300); do
    docker exec --user postgres "$name" psql --host=127.0.0.1 --username=tidings --dbname=tidings --quiet \
      --command='SELECT 1' >/dev/null 2>&1 && [ "$(sql 'SELECT pg_is_in_recovery()')" = f ] && return
    sleep 0.2
  done
  docker logs --tail 30 "$name"
  fail 'PostgreSQL does not accept connections'
}
start() {
  docker run --detach --name "$name" --publish "127.0.0.1:$port:5432" "${volumes[@]}" "${secrets[@]}" \
    --env LANG=C.UTF-8 --env POSTGRES_USER=tidings --env POSTGRES_DB=tidings --env POSTGRES_PASSWORD=$password --env PGPASSWORD=$password \
    tidings-postgres postgres -c archive_mode=on -c archive_timeout=60 \
    -c 'archive_command=pgbackrest --stanza=tidings archive-push %p' >/dev/null
  ready
}
# Starts a worker and waits for a line of its log, which it keeps in `line`.
work_until() {
  local log=$data/worker.log
  : >"$log"
  PORT=0 WORKER_METRICS_PORT=0 node "$root/apps/api/dist/worker.js" >"$log" 2>&1 &
  worker=$!
  for _ in $(seq 200); do
    grep --quiet --fixed-strings "$1" "$log" && break
    sleep 0.2
  done
  line=$(grep --fixed-strings --max-count=1 "$1" "$log") || { tail -20 "$log"; fail "The worker did not log $1"; }
}
stop_worker() {
  kill "$worker"
  wait "$worker" || true
  worker=
}

docker build --quiet --tag tidings-postgres ${PGBACKREST_DOCKERFILE:+--file "$PGBACKREST_DOCKERFILE"} \
  "$root/packages/ops/examples/pgbackrest" >/dev/null
say "$(docker run --rm --entrypoint pgbackrest tidings-postgres version), $(docker run --rm --entrypoint postgres tidings-postgres --version)"
# The repository belongs to the server's user.
docker run --rm --user root --entrypoint chown "${volumes[@]}" tidings-postgres postgres:postgres /backups
start
pgbackrest stanza-create
pgbackrest check
tidings migrate >/dev/null
work_until '"msg":"working"'
stop_worker

# What an edition leaves: members and rows.
sql "INSERT INTO edition (date, slot, status, publish_at, published_at)
  SELECT '2020-01-01'::date + n, '10AM', 'published', now(), now() FROM generate_series(1, 1000) n"
timed 'full backup' pgbackrest --type=full backup
sql "INSERT INTO edition (date, slot, status, publish_at, published_at) VALUES ('2026-01-01', '10AM', 'published', now(), now())"
sleep 1
before=$(sql 'SELECT now()')
sleep 1
sql 'DELETE FROM edition'
sql 'SELECT pg_switch_wal()' >/dev/null
pgbackrest check
say "✓ a mistake after $before: $(sql 'SELECT count(*) FROM edition') editions are left"

docker stop "$name" >/dev/null
docker rm "$name" >/dev/null
timed 'restore of the files' docker run --rm --user postgres --entrypoint pgbackrest "${volumes[@]}" "${secrets[@]}" \
  tidings-postgres --stanza=tidings --delta --type=time "--target=$before" --target-action=promote restore
timed 'recovery to that moment' start
editions=$(sql 'SELECT count(*) FROM edition')
timeline=$(sql 'SELECT timeline_id FROM pg_control_checkpoint()')
[ "$editions" = 1001 ] || fail "$editions editions instead of 1001"
say "✓ all 1001 editions are back; the timeline is $timeline"

work_until 'sending held'
reason=$(printf '%s' "$line" | grep --only-matching '"reason":"[^"]*"' || true)
say "✓ the worker sends nothing: $reason"
tidings deliveries confirm-instance --yes | sed 's/^/  /'
tidings deliveries summary | sed 's/^/  /'
stop_worker
timed 'full backup of the new timeline' pgbackrest --type=full backup
docker exec --user postgres "$name" pgbackrest --stanza=tidings info | sed 's/^/  /'
