import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import type { OwnPostgres } from './own-postgres.ts'

const run = promisify(execFile)
const serverVersion = 18

export type Dump = {
  /** Replaces the rows of this migrated database by those of the dump, also while it is used. */
  restoreInto(url: string): Promise<void>
}

/** Dumps all rows of a database, with `pg_dump` if its version fits; otherwise as it does: with COPY, in one snapshot. */
export async function dumpDatabase(url: string): Promise<Dump> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-dump-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // The server, which runs as another user, writes the files.
  await chmod(folder, 0o777)
  return (await hasPrograms()) ? await dumpWithPrograms(url, folder) : await dumpWithCopy(url, folder)
}

async function hasPrograms(): Promise<boolean> {
  try {
    const { stdout } = await run('pg_dump', ['--version'])
    return Number(/(\d+)/.exec(stdout)?.[1]) >= serverVersion
  } catch {
    return false
  }
}

async function dumpWithPrograms(url: string, folder: string): Promise<Dump> {
  const file = path.join(folder, 'tidings.dump')
  await run('pg_dump', ['--format=custom', `--file=${file}`, url])
  return {
    async restoreInto(target) {
      const options = ['--clean', '--if-exists', '--no-owner', `--dbname=${target}`]
      const { stderr } = await run('pg_restore', [...options, file]).catch((error: { stderr?: string }) => ({
        stderr: error.stderr ?? String(error),
      }))
      // The partitions of the job queue can't be dropped one by one; everything else is restored.
      const errors = stderr.split('\n').filter((line) => line.includes('error: could not execute query'))
      if (errors.length > 3) throw new Error(stderr)
    },
  }
}

const listTables = `
  SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
  JOIN pg_class ON pg_class.oid = format('%I.%I', schemaname, tablename)::regclass
  WHERE schemaname IN ('public', 'jobs') AND relkind = 'r' ORDER BY 1`

async function dumpWithCopy(url: string, folder: string): Promise<Dump> {
  const tables = await withConnection(url, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    const { rows } = await client.query<{ name: string }>(listTables)
    for (const { name } of rows) await client.query(`COPY ${name} TO '${path.join(folder, name)}'`)
    await client.query('COMMIT')
    return rows.map(({ name }) => name)
  })
  return {
    restoreInto: (target) =>
      withConnection(target, async (client) => {
        await client.query('BEGIN')
        await client.query('SET LOCAL session_replication_role = replica')
        // Before workers that hold locks in another order give up.
        await client.query("SET LOCAL deadlock_timeout = '30s'")
        await client.query(`TRUNCATE ${tables.join(', ')}`)
        for (const name of tables) await client.query(`COPY ${name} FROM '${path.join(folder, name)}'`)
        await client.query('COMMIT')
      }),
  }
}

async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Copies the files of a server, which stops meanwhile. Returns what puts them back in place. */
export async function copyServerFiles(postgres: OwnPostgres): Promise<() => Promise<void>> {
  const folder = await withConnection(postgres.url, async (client) => {
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory')
    return rows[0]?.data_directory ?? ''
  })
  const copy = `${folder}-copy`
  await postgres.stop()
  await run('cp', ['--archive', folder, copy])
  await postgres.start()
  return async () => {
    await postgres.stop()
    await rm(folder, { recursive: true })
    await run('mv', [copy, folder])
    await postgres.start()
  }
}
