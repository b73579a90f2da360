import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@tidings/launcher/embedded-postgres'
import { runMigrations } from '@tidings/launcher/migrations'
import type { Progress } from '@tidings/launcher/progress'
import pg from 'pg'
import type { Lifetime } from '../programs/lifetime.ts'
import { fillEditions, fillSearchable } from './fill-editions.ts'

/** The days of the small database: the last week of the ten years. */
const lastDays = { from: '2026-11-14', to: '2026-11-20' }
const tenYears = { from: '2016-11-21', to: lastDays.to }

export type MembersSize = 'few' | 'paying' | 'many' | 'million'

export type Databases = {
  /** Returns the address of a database with one week of editions. */
  week(): Promise<string>
  /** Returns the address of a database with ten years of editions. */
  decade(): Promise<string>
  /**
   * Returns the address of a database with ten years of editions in the words of a newspaper, indexed for the search.
   */
  searchable(): Promise<string>
  /** Returns the address of a database with members and one week of editions. */
  members(size: MembersSize): Promise<string>
  /**
   * Returns the address of a database for members who receive editions, or for what they received, with one week of
   * editions.
   */
  deliveries(name: string): Promise<string>
  /** A folder for the servers' data, deleted at the end. */
  dataDir: string
  /** The log of the database server. */
  logFile: string
}

/** Starts a PostgreSQL whose databases are filled on first use. */
export async function startDatabases(lifetime: Lifetime, progress: Progress): Promise<Databases> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tidings-bench-'))
  // As root, PostgreSQL runs as another user, who has to enter the folder.
  await chmod(dataDir, 0o711)
  lifetime.atEnd(() => rm(dataDir, { recursive: true, force: true }))
  const starting = startEmbeddedPostgres({
    dataDir: join(dataDir, 'postgres'),
    // This data need not survive a power cut.
    settings: { fsync: 'off', max_wal_size: '4GB' },
    onProgress: progress.say,
  })
  lifetime.atEnd(async () => {
    const server = await starting.catch(() => undefined)
    await server?.destroy()
  })
  const server = await progress.step('Starting PostgreSQL', () => starting)

  const made = new Map<string, Promise<string>>()
  const make = (name: string, label: string, days: { from: string; to: string }, fillWith = fillEditions) => {
    const known = made.get(name) ?? fill(server.adminUrl, name, label, days, progress, fillWith)
    made.set(name, known)
    return known
  }
  return {
    week: () => make('week', 'one week', lastDays),
    decade: () => make('decade', 'ten years', tenYears),
    searchable: () => make('searchable', 'ten years', tenYears, fillSearchable),
    members: (size) => make(`members_${size}`, 'one week', lastDays),
    deliveries: (name) => make(name, 'one week', lastDays),
    dataDir,
    logFile: server.logFile,
  }
}

async function fill(
  adminUrl: string,
  name: string,
  label: string,
  days: { from: string; to: string },
  progress: Progress,
  fillWith: typeof fillEditions,
): Promise<string> {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  const { editions, memos } = await progress.step(
    `Filling a database with ${label} of editions`,
    async () => {
      const client = new pg.Client({ connectionString: adminUrl })
      await client.connect()
      await client.query(`CREATE DATABASE ${name}`).finally(() => client.end())
      await runMigrations(url.href)
      return await fillWith(url.href, days)
    },
  )
  progress.say(`  ${editions} editions, ${memos} memos`)
  return url.href
}
