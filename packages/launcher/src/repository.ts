import { join, resolve } from 'node:path'

/** The top folder of this checkout. */
export const repositoryRoot = resolve(import.meta.dirname, '../../..')

/** The program that applies the migrations to `DATABASE_URL`. */
export const migrateScript = join(repositoryRoot, 'prisma/migrate.ts')

/** The program that fills `DATABASE_URL` with the development editions. */
export const seedScript = join(repositoryRoot, 'apps/api/seed/index.ts')

/** Downloads and unpacked tools: may be deleted at any time. */
export const cacheDir = join(repositoryRoot, '.cache')
