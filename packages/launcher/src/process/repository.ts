import { join, resolve } from 'node:path'

/** The root folder of this checkout. */
export const repositoryRoot = resolve(import.meta.dirname, '../../../..')

/** Applies the migrations to `DATABASE_URL`. */
export const migrateScript = join(repositoryRoot, 'prisma/migrate.ts')

/** Adds the seeded content to `DATABASE_URL`. */
export const seedScript = join(repositoryRoot, 'apps/api/seed/index.ts')

/** Downloads and unpacked tools: may be deleted at any time. */
export const cacheDir = join(repositoryRoot, '.cache')
