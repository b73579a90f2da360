import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SchemaFile } from './engine.ts'

const migrationsDir = join(import.meta.dirname, 'migrations')
const schemaDir = join(import.meta.dirname, 'schema')

/** The migrations on disk, oldest first, in the form the engine takes them. */
export async function readMigrations(baseDir = migrationsDir) {
  const entries = await readdir(baseDir, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return {
    baseDir,
    lockfile: {
      path: 'migration_lock.toml',
      content: await readFile(join(baseDir, 'migration_lock.toml'), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.sort().map(async (name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: {
            tag: 'ok' as const,
            value: await readFile(join(baseDir, name, 'migration.sql'), 'utf8'),
          },
        },
      })),
    ),
  }
}

/** The `.prisma` files of the schema, by name. */
export async function readSchema(): Promise<SchemaFile[]> {
  const names = (await readdir(schemaDir)).filter((name) => name.endsWith('.prisma')).sort()
  return Promise.all(
    names.map(async (name) => {
      const path = join(schemaDir, name)
      return { path, content: await readFile(path, 'utf8') }
    }),
  )
}
