import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { z } from 'zod'
import type { BackupSource } from './backup-source.ts'
import { readRows } from './connection.ts'
import { tableOfPart } from './dump-database.ts'
import type { Manifest } from './manifest.ts'
import { readArchive } from './read-archive.ts'
import { columnList, quoted } from './tables.ts'

const foreignKeySchema = z.object({ table: z.string(), name: z.string(), definition: z.string() })
const selectForeignKeys = `
  SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
  FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 AND connamespace = 'public'::regnamespace`

/** Loads all rows of a backup into a database that has its tables, in one transaction. Returns the rows by table. */
export async function loadDatabase(
  client: pg.Client,
  manifest: Manifest,
  { source, onProgress }: { source: BackupSource; onProgress: (text: string) => void },
): Promise<Map<string, number>> {
  const tables = new Map(manifest.tables.map((table) => [table.name, table]))
  const names = manifest.tables.map(({ name }) => quoted(name))
  const own = manifest.tables.filter(({ name }) => name.startsWith('public.')).map(({ name }) => quoted(name))
  const rows = new Map<string, number>()
  await client.query('BEGIN')
  const foreignKeys = await readRows(client, foreignKeySchema, selectForeignKeys)
  // Triggers would count again what the rows already count. Both need no superuser.
  for (const { table, name } of foreignKeys)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
  for (const name of own) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`)
  await client.query(`TRUNCATE ${names.join(', ')}`)
  let current: Load | null = null
  for await (const { name, content } of readArchive(source)) {
    const table = tables.get(tableOfPart(name) ?? '')
    if (table === undefined) continue
    if (current === null || current.table !== table.name) {
      await endLoad(current, rows)
      onProgress(`Loading the table ${table.name}`)
      const sql: string = `COPY ${quoted(table.name)} (${columnList(table)}) FROM STDIN`
      const next: Load = { table: table.name, sink: client.query(copyFrom(sql)) }
      current = next
    }
    await pipeline(content, createGunzip(), current.sink, { end: false })
  }
  await endLoad(current, rows)
  for (const { name, value } of manifest.sequences)
    await client.query('SELECT setval($1::regclass, $2::bigint)', [quoted(name), value])
  for (const name of own) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`)
  for (const { table, name, definition } of foreignKeys)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
  await client.query('COMMIT')
  return rows
}

type Load = { table: string; sink: ReturnType<typeof copyFrom> }

/** Ends the copy of a table, and notes how many rows it got. */
async function endLoad(load: Load | null, rows: Map<string, number>): Promise<void> {
  if (load === null) return
  await pipeline(async function* () {}, load.sink)
  rows.set(load.table, load.sink.rowCount)
}
