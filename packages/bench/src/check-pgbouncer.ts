import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@tidings/launcher/embedded-postgres'
import { freePort } from '@tidings/launcher/free-port'
import pg from 'pg'

const repository = path.resolve(import.meta.dirname, '../../..')
const example = path.join(repository, 'packages/ops/examples/pgbouncer.ini')
const oldest = [1, 21]

/**
 * Runs the API's integration tests through PgBouncer in transaction mode, with the example's settings. Arguments choose
 * the files, as for vitest. PGBOUNCER is the program. Exits with the result of the tests.
 */
async function main(): Promise<void> {
  const program = process.env.PGBOUNCER ?? 'pgbouncer'
  requireVersion(program)
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-pgbouncer-'))
  await chmod(folder, 0o711)
  const postgres = await startEmbeddedPostgres({
    dataDir: path.join(folder, 'postgres'),
    settings: { fsync: 'off', max_connections: '400' },
  })
  let pooler: ChildProcess | undefined
  try {
    const url = new URL(postgres.adminUrl)
    const port = await freePort()
    const file = path.join(folder, 'pgbouncer.ini')
    await writeFile(file, await configurationFor(url, port))
    await chmod(file, 0o644)
    const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
    pooler = spawn(program, ['-q', ...asUser, file], { stdio: 'inherit' })
    const pooled = new URL(url)
    pooled.host = `127.0.0.1:${port}`
    await waitUntilReady(pooled.href)
    const tests = spawn(
      'npx',
      ['--yes', 'pnpm@12', 'exec', 'vitest', 'run', '--project', 'integration', ...process.argv.slice(2)],
      {
        cwd: path.join(repository, 'apps/api'),
        env: {
          ...process.env,
          TIDINGS_TEST_DATABASE_ADMIN_URL: url.href,
          TIDINGS_TEST_POOLER_URL: pooled.href,
        },
        stdio: 'inherit',
      },
    )
    // Ends the servers, too.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal))
    const [code] = await once(tests, 'close')
    process.exitCode = Number(code ?? 1)
  } finally {
    pooler?.kill('SIGTERM')
    await postgres.destroy()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the example for any database of the test server, without passwords. */
async function configurationFor(server: URL, port: number): Promise<string> {
  const target = `* = host=${server.hostname} port=${server.port} user=${server.username}`
  const text = await readFile(example, 'utf8')
  return text
    .replace(/^tidings = .*$/m, `${target}${server.password === '' ? '' : ` password=${server.password}`}`)
    .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
    .replace(/^auth_type = .*$/m, 'auth_type = any')
    .replace(/^auth_file = .*$/m, '')
}

function requireVersion(program: string): void {
  const { stdout, error } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  if (error !== undefined) throw new Error(`${program} did not run (${error.message}). Install PgBouncer.`)
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(stdout) ?? []).slice(1).map(Number)
  if (major === oldest[0] && minor < (oldest[1] ?? 0)) {
    throw new Error(
      `PgBouncer 1.21 or later is needed, and this is ${major}.${minor}. Set PGBOUNCER to a newer one.`,
    )
  }
  process.stdout.write(`${stdout.split('\n')[0]}\n`)
}

async function waitUntilReady(url: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (attempt > 50) throw error
      await pause(100)
    }
  }
}

await main()
