import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type pg from 'pg'
import { z } from 'zod'
import type { Config } from '#config/config.ts'
import type { Clock } from '#platform/clock.ts'
import { jobsSchemaSql } from '#platform/jobs/jobs-schema.ts'
import type { BackupSource } from './backup-source.ts'
import { databaseNameOf, readRows, withConnection } from './connection.ts'
import { readJobsVersion } from './dump-database.ts'
import { createFreshDatabase, dropDatabase, dropLeftovers, swapDatabases } from './fresh-database.ts'
import { loadDatabase } from './load-database.ts'
import { fingerprintOf, type Manifest, mediaFolder } from './manifest.ts'
import { openPictures } from './pictures.ts'
import { BackupError } from './places/backup-error.ts'
import { readArchive } from './read-archive.ts'
import { readRestoredPicture, readRestoredRows } from './restore-report.ts'
import { withSiteLock } from './site-lock.ts'

// The row names the database that sent, so that another one holds; this one also says why.
const holdSending = `
  INSERT INTO delivery_control (id, instance, site_url, confirmed_at, epoch, suspended_reason)
  VALUES (1, 'restored', $1, now(), 0, 'restored')
  ON CONFLICT (id) DO UPDATE SET suspended_reason = 'restored'`

type Options = {
  config: Config
  source: BackupSource
  clock: Clock
  onProgress: (text: string) => void
}

/** Throws unless this code and these settings can use the backup. */
export async function checkUsable(manifest: Manifest, config: Config, isOtherSecret: boolean): Promise<void> {
  const known = await readdir(config.locations.migrations)
  const unknown = manifest.migrations.find(({ name }) => !known.includes(name))
  if (unknown !== undefined)
    throw new BackupError(
      `The backup was made by Tidings ${manifest.version}, revision ${manifest.revision}, whose migration ${unknown.name} this version doesn't have. Restore it with that version. Nothing was changed.`,
    )
  if (manifest.siteSecret !== fingerprintOf(config.secrets.siteSecret) && !isOtherSecret)
    throw new BackupError(
      "SITE_SECRET is not the one of the backup: links in sent emails and all logins would end, and what is sealed with it can't be read. Set the old one, or add --other-secret. Nothing was changed.",
    )
}

/** Returns whether the site's database has editions or members, which a restore would replace. */
export async function isUsed(url: string): Promise<boolean> {
  const one = z.object({ is: z.boolean() })
  return await withConnection(url, async (client) => {
    const [found] = await readRows(client, one, `SELECT to_regclass('public.edition') IS NOT NULL AS "is"`)
    if (found?.is !== true) return false
    const sql = 'SELECT EXISTS (SELECT 1 FROM edition) OR EXISTS (SELECT 1 FROM member) AS "is"'
    return (await readRows(client, one, sql))[0]?.is === true
  })
}

/** Loads a checked backup into a database of its own, which then takes the place of the site's. */
export async function restoreBackup(manifest: Manifest, options: Options) {
  const siteUrl = options.config.database.listenUrl
  return await withSiteLock(siteUrl, async () => {
    const leftovers = await dropLeftovers(siteUrl)
    return { ...(await loadAndSwap(manifest, options)), leftovers }
  })
}

async function loadAndSwap(manifest: Manifest, options: Options) {
  const { config, clock, source, onProgress } = options
  const siteUrl = config.database.listenUrl
  const site = databaseNameOf(siteUrl)
  const time = clock
    .now()
    .toISOString()
    .replaceAll(/[-:]|\.\d+/g, '')
    .toLowerCase()
  const [fresh, former] = [`${site}_restore_${time}`, `${site}_before_${time}`]
  const url = await createFreshDatabase(siteUrl, fresh)
  try {
    const last = manifest.migrations.at(-1)?.name ?? ''
    await runMigrations(url, config, [last])
    await withConnection(url, async (client) => {
      await createJobs(client, manifest)
      const rows = await loadDatabase(client, manifest, { source, onProgress })
      const wrong = manifest.tables.find((table) => (rows.get(table.name) ?? 0) !== table.rows)
      if (wrong !== undefined)
        throw new BackupError(`The table ${wrong.name} got another number of rows. Nothing was changed.`)
    })
    await runMigrations(url, config, [])
    const found = await withConnection(url, async (client) => {
      await client.query(holdSending, [config.site.identity])
      await client.query('ANALYZE')
      return await readRestoredRows(client)
    })
    const pictures = await restorePictures(options)
    const picture = await readRestoredPicture(openPictures(config), pictures.last, config)
    onProgress('Taking the place of the database')
    await swapDatabases(siteUrl, fresh, former)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    return {
      rows,
      tables: manifest.tables.length,
      files: manifest.files.length,
      pictures: pictures.count,
      ...found,
      picture,
      former,
    }
  } catch (error) {
    await dropDatabase(siteUrl, fresh)
    throw error
  }
}

async function createJobs(client: pg.Client, { jobs, version, revision }: Manifest): Promise<void> {
  if (jobs === null) return
  await client.query(jobsSchemaSql())
  if ((await readJobsVersion(client)) !== jobs)
    throw new BackupError(
      `The backup has another version of the job queue. Restore it with Tidings ${version}, revision ${revision}, and upgrade then. Nothing was changed.`,
    )
}

async function runMigrations(url: string, config: Config, args: string[]): Promise<void> {
  const script = path.join(config.locations.migrations, '../migrate.ts')
  const program = spawn(process.execPath, [script, ...args], {
    env: { DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [errors, [code]] = await Promise.all([text(program.stderr), once(program, 'close')])
  if (code !== 0) throw new BackupError(`${errors.trim()}\nNothing was changed.`)
}

/** Stores the pictures. Pictures of the site stay: none is ever changed under its name. */
async function restorePictures({ config, source, onProgress }: Options) {
  const pictures = openPictures(config)
  const stored: { count: number; last: string | null } = { count: 0, last: null }
  for await (const { name, content } of readArchive(source)) {
    if (!name.startsWith(mediaFolder)) continue
    const picture = name.slice(mediaFolder.length)
    if (!(await pictures.write(picture, content))) continue
    stored.count += 1
    stored.last = picture
    if (stored.count % 100 === 0) onProgress(`Stored ${stored.count} pictures`)
  }
  return stored
}
