import type pg from 'pg'
import { z } from 'zod'
import { readRows } from './connection.ts'

/** Stored tables whose rows are in no backup: what the code creates itself, and counts of calls. */
const skippedTables = ['public._prisma_migrations', 'public.rate_limit', 'jobs.version']

const tableSchema = z.object({ name: z.string(), columns: z.array(z.string()).min(1) })
export type Table = z.infer<typeof tableSchema>

const sequenceSchema = z.object({ name: z.string(), value: z.string() })

// A partition's rows are those of its parent. Unlogged tables are empty after a crash anyway.
const selectTables = `
  SELECT n.nspname || '.' || c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
  FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE n.nspname IN ('public', 'jobs') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relpersistence = 'p' AND n.nspname || '.' || c.relname <> ALL ($1)
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
  GROUP BY 1 ORDER BY 1`

const selectSequences = `
  SELECT schemaname || '.' || sequencename AS name, last_value::text AS value FROM pg_sequences
  WHERE schemaname IN ('public', 'jobs') AND last_value IS NOT NULL ORDER BY 1`

/** Lists the tables whose rows belong to a backup. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  return await readRows(client, tableSchema, selectTables, [skippedTables])
}

/** Lists the sequences that have been used, with their last value. */
export async function listSequences(client: pg.Client): Promise<z.infer<typeof sequenceSchema>[]> {
  return await readRows(client, sequenceSchema, selectSequences)
}

/** Returns a table's name for a statement. */
export function quoted(table: string): string {
  return table.split('.').map(quotedName).join('.')
}

export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function columnList({ columns }: Table): string {
  return columns.map(quotedName).join(', ')
}
