import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'
import type { ArchiveWriter } from './archive-writer.ts'
import { readRows, withConnection } from './connection.ts'
import type { Manifest } from './manifest.ts'
import { columnList, listSequences, listTables, quoted, type Table } from './tables.ts'

const compress = promisify(gzip)
/** Fast: a level of 6 makes files a tenth smaller in three times the time. */
const compressionLevel = 3
/** The size of the uncompressed parts of a table, one of which is in memory. */
const partBytes = 8 * 1024 * 1024

type DumpedDatabase = Pick<Manifest, 'postgres' | 'migrations' | 'jobs' | 'tables' | 'sequences'>

const migrationSchema = z.object({ name: z.string(), checksum: z.string() })
const selectMigrations = `
  SELECT migration_name AS name, checksum FROM _prisma_migrations
  WHERE rolled_back_at IS NULL AND finished_at IS NOT NULL ORDER BY migration_name`

/** Copies all tables as they are at one moment, while the site goes on. */
export async function dumpDatabase(
  url: string,
  archive: ArchiveWriter,
  onProgress: (text: string) => void,
): Promise<DumpedDatabase> {
  return await withConnection(url, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const tables: Manifest['tables'] = []
    // The first query takes the snapshot.
    for (const table of await listTables(client)) {
      onProgress(`Copying the table ${table.name}`)
      const rows = await dumpTable(client, table, archive)
      tables.push({ ...table, rows })
    }
    const migrations = await readRows(client, migrationSchema, selectMigrations)
    // Sequences have no snapshot: read after the rows, they are never behind them.
    const sequences = await listSequences(client)
    const [server] = await readRows(
      client,
      z.object({ version: z.string() }),
      "SELECT current_setting('server_version') AS version",
    )
    const jobs = await readJobsVersion(client)
    await client.query('COMMIT')
    return { postgres: server?.version ?? '', migrations, jobs, tables, sequences }
  })
}

/** Copies the rows of a table in compressed parts. Returns how many there are. */
async function dumpTable(client: pg.Client, table: Table, archive: ArchiveWriter): Promise<number> {
  const sql = `COPY (SELECT ${columnList(table)} FROM ${quoted(table.name)}) TO STDOUT`
  const stream = client.query(copyTo(sql))
  let part: Buffer[] = []
  let bytes = 0
  let parts = 0
  const flush = async () => {
    if (bytes === 0) return
    parts += 1
    const content = await compress(Buffer.concat(part), { level: compressionLevel })
    await archive.add(partName(table.name, parts), content)
    part = []
    bytes = 0
  }
  for await (const chunk of stream) {
    const buffer = Buffer.from(chunk)
    part.push(buffer)
    bytes += buffer.byteLength
    if (bytes >= partBytes) await flush()
  }
  await flush()
  return stream.rowCount
}

/** Returns the name of a part of a table, in its order. */
function partName(table: string, part: number): string {
  return `database/${table}/${String(part).padStart(6, '0')}.gz`
}

/** Returns the table that a file of the archive belongs to; null for other files. */
export function tableOfPart(name: string): string | null {
  return /^database\/([^/]+)\/\d+\.gz$/.exec(name)?.[1] ?? null
}

/** Returns the version of the job queue's tables; null without a queue. */
export async function readJobsVersion(client: pg.Client): Promise<number | null> {
  const [found] = await readRows(
    client,
    z.object({ isThere: z.boolean() }),
    `SELECT to_regclass('jobs.version') IS NOT NULL AS "isThere"`,
  )
  if (found?.isThere !== true) return null
  const [row] = await readRows(client, z.object({ version: z.int() }), 'SELECT version FROM jobs.version')
  return row?.version ?? null
}
