import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { settingValueSchema } from '#config/setting.ts'

export const manifestName = 'manifest.json'
export const mediaFolder = 'media/'

/** Raised when an earlier version could not read the archive. */
export const archiveFormat = 1

const fileSchema = z.object({ name: z.string(), bytes: z.int(), sha256: z.string() })
export type ArchiveFile = z.infer<typeof fileSchema>

const tableSchema = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.int(),
})
const migrationSchema = z.object({ name: z.string(), checksum: z.string() })

/** The content of an archive, and what it was made from. */
export const manifestSchema = z.object({
  format: z.int(),
  createdAt: z.iso.datetime(),
  seconds: z.number(),
  version: z.string(),
  revision: z.string(),
  site: z.string(),
  postgres: z.string(),
  /** The version of the tables of the job queue; null without a queue. */
  jobs: z.int().nullable(),
  /** Tells whether a site has the same SITE_SECRET, without revealing it. */
  siteSecret: z.string(),
  migrations: z.array(migrationSchema).min(1),
  tables: z.array(tableSchema),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  media: z.object({ files: z.int(), bytes: z.int() }),
  leftOut: z.array(z.string()),
  /** The settings of the site, without secrets; none in backups of earlier versions. */
  settings: z.array(settingValueSchema).default([]),
  files: z.array(fileSchema),
})
export type Manifest = z.infer<typeof manifestSchema>

export const leftOut = [
  'SITE_SECRET, passwords, keys and other secrets of the settings',
  'PDFs, which are made again when they are needed',
  'DATA_DIR/sending, the record of what workers sent: permission to send is in no backup',
  'rate limits and caches',
]

/** Returns a fingerprint of SITE_SECRET that doesn't reveal it. */
export function fingerprintOf(siteSecret: string): string {
  return createHmac('sha256', siteSecret).update('tidings backup').digest('hex').slice(0, 16)
}
