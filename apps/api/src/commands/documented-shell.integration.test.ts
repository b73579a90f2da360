import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { siteTest } from '#test/fixtures.ts'
import { readDocument, readDocumentedCode } from '#test/sites/documented-code.ts'
import type { TestApp } from '#test/test-app.ts'

const execute = promisify(execFile)
const it = siteTest()
const pages = ['packages/ops/RUNBOOK.md', '.github/OPERATING.md']

/** Commands of the shell that run here, with what stands for their examples. */
const run: Readonly<Record<string, (site: TestApp) => Promise<{ args: string[]; says: RegExp }>>> = {
  'df -h': async () => ({ args: ['df', '-h'], says: /%/ }),
  'du -sh': async ({ context }) => ({ args: ['du', '-sh', context.config.dataDir], says: /tidings-test-/ }),
  'curl --silent localhost:3000/readyz': async (site) => ({
    args: ['curl', '--silent', `${await site.listen()}/readyz`],
    says: /"status":"ready"/,
  }),
}

const day = 'packages/bench/src/operation-day/main.ts'

/** Commands that need Docker, root or the network, each with the script that has it word for word. */
const scripts: Readonly<Record<string, string>> = {
  'docker compose up --detach --build': day,
  'docker compose up --detach': day,
  'docker compose up --detach --no-build --no-deps api worker': day,
  'docker compose up --detach --build --no-deps api worker': day,
  'docker compose cp api:/backups .': day,
  "docker compose exec -T api sh -c 'cat > /backups/latest.tar' < tidings-20261127T030000Z.tar": day,
  'printf \'SITE_PASSWORD=%s\\nSITE_SECRET=%s\\nPOSTGRES_PASSWORD=%s\\n\' tidings "$(openssl rand -hex 32)" "$(openssl rand -hex 24)" > .env':
    day,
  "printf 'COMPOSE_PROFILES=caddy\\nSITE_DOMAIN=%s\\n' news.example.com >> .env": day,
  "printf 'API_PORTS=3000-3009\\nAPI_PROCESSES=3\\n' >> .env": day,
  'git pull --ff-only': day,
  'docker tag tidings:local tidings:before': day,
  'docker tag tidings:before tidings:local': day,
}

/** Commands that no script runs, each with the reason. */
const byHand: Readonly<Record<string, string>> = {
  'docker compose exec worker': 'the beginning of others, which are run',
  'docker compose ps': 'only shows',
  'docker compose logs --follow api worker': 'only shows, and does not end',
  'docker compose config': 'only shows',
  'docker compose restart worker': 'bench kills and starts workers instead',
  'docker compose down --volumes': 'deletes a site',
  'docker compose up --detach --scale worker=3': 'bench runs several workers without Docker',
  "printf 'COMPOSE_PROFILES=sandbox\\nCOMPOSE_EMULATORS=on\\n' >> .env": 'the workflow sets both variables',
  'export DATABASE_URL=postgresql://user:password@127.0.0.1:5432/tidings': 'only sets a variable',
  'pg_dump --format=custom --file=tidings.dump "$DATABASE_URL"': 'needs pg_dump 18',
  'createdb --template=template0 --encoding=UTF8 --lc-collate=C --lc-ctype=C.UTF-8 tidings_new':
    'belongs to pg_dump',
  'pg_restore --no-owner --dbname=tidings_new tidings.dump': 'belongs to pg_dump',
  'npx --yes pnpm@12 dlx web-push generate-vapid-keys': 'needs the network',
  'npx --yes pnpm@12 --filter @tidings/ops check-metrics': 'a script',
  'npx --yes pnpm@12 --filter @tidings/bench check-pgbouncer': 'a script',
  'bench rolling-restart': 'a script',
  'bench upgrade': 'a script',
  'bench backup': 'a script',
  'npx --yes pnpm@12 --filter @tidings/bench check-swift': 'a script',
  'apt-get install swift-proxy swift-account swift-container swift-object': 'check-swift says so itself',
  "-c archive_mode=on -c archive_timeout=60 -c 'archive_command=pgbackrest --stanza=tidings archive-push %p'":
    'packages/ops/check/pgbackrest.sh starts PostgreSQL with them',
  'pgbackrest --stanza=tidings stanza-create': 'packages/ops/check/pgbackrest.sh',
  'pgbackrest --stanza=tidings check': 'packages/ops/check/pgbackrest.sh',
  'pgbackrest --stanza=tidings --type=full backup': 'packages/ops/check/pgbackrest.sh',
  "pgbackrest --stanza=tidings --delta --type=time --target='2026-11-27 16:18:14+00' --target-action=promote restore":
    'packages/ops/check/pgbackrest.sh, with a time of its own',
  'apt-get install prometheus': 'the workflow installs it',
  'ALTER ROLE name CREATEDB': 'SQL for the owner of a database server',
  "DELETE FROM delivery WHERE method = 'web_push'": 'SQL before a return to an older version',
}

/** Code that is no command: options, requests, queries, settings and lines of the log. */
const isNoCommand = (code: string): boolean =>
  /^(?:--\w|exec -T$|(?:GET|POST) \/|[A-Z_]+=|\w+ = )/.test(code) ||
  /tidings_\w+[ {(]|^max by|Cache-Status|^hit$|^ttl=|^detail=|^client_max_body_size/.test(code) ||
  logLines.includes(code)

const logLines = [
  'picture removal refused',
  'job failed',
  'proxy not trusted',
  'all readers share an address',
  'metrics port unavailable',
  'database notifications lost',
  'database notifications unavailable',
  'database unavailable',
  'database available again',
  'sending held',
  'complaint without a signature ignored',
  'codes to new accounts stopped',
]

describe('the shell commands of the documents', () => {
  it.for(pages)('in %s run here or in a script, or are listed with a reason', async (page) => {
    const placed = [run, scripts, byHand].flatMap((commands) => Object.keys(commands))
    const { other } = await readDocumentedCode(page)
    expect(other.length).toBeGreaterThan(5)
    expect(other.filter((code) => !(placed.includes(code) || isNoCommand(code)))).toEqual([])
  })

  it('are all in the documents', async () => {
    const named = (await Promise.all(pages.map(readDocumentedCode))).flatMap(({ other }) => other)
    const listed = [run, scripts, byHand].flatMap((commands) => Object.keys(commands))
    expect([...listed, ...logLines].filter((command) => !named.includes(command))).toEqual([])
  })

  it.for(Object.entries(scripts))('%s is in %s', async ([command, script]) => {
    // A template in the script writes a backslash twice.
    expect((await readDocument(script)).replaceAll('\\\\', '\\')).toContain(command)
  })

  it.for(Object.entries(run))('%s', async ([, prepare], { site }) => {
    const { args, says } = await prepare(site)
    const [program = '', ...rest] = args
    const { stdout } = await execute(program, rest)
    expect(stdout).toMatch(says)
  })
})
