import type pg from 'pg'

export type Migration = { name: string; checksum: string; sql: string }
/** A row of `_prisma_migrations` that was not rolled back. */
export type AppliedMigration = { name: string; checksum: string; isFinished: boolean }

/** A row as Postgres returned it. */
export type Columns = Record<string, unknown>

// The table as Prisma creates it, so that `prisma migrate deploy` can take over.
const createMigrationTable = `
  CREATE TABLE _prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`

/** Returns the migrations that this database has, those unfinished included. */
export async function listApplied(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows: tables } = await client.query<Columns>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
  )
  if (tables.length === 0) await client.query(createMigrationTable)
  else if (tables.every(({ name }) => name !== '_prisma_migrations')) {
    throw new Error('This database has tables of another program. Set DATABASE_URL to an empty database.')
  }
  const { rows } = await client.query<Columns>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS "isFinished"
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  )
  return rows.map(({ name, checksum, isFinished }) => ({
    name: String(name),
    checksum: String(checksum),
    isFinished: isFinished === true,
  }))
}

/** Returns the migrations to apply. Throws when those already applied don't lead to this version. */
export function findMissing(migrations: Migration[], applied: AppliedMigration[]): Migration[] {
  const unfinished = applied.find(({ isFinished }) => !isFinished)
  if (unfinished) {
    throw new Error(
      `Migration ${unfinished.name} was started on this database but never finished. Restore a backup, or repair the ` +
        `database by hand and record that with 'prisma migrate resolve'.`,
    )
  }
  const missing = migrations.filter(({ name }) => applied.every((row) => row.name !== name))
  const changed = applied.find((row) =>
    migrations.some(({ name, checksum }) => name === row.name && checksum !== row.checksum),
  )
  const unknown = listUnknown(migrations, applied)
  // A database that lacks nothing and has more is from a newer version, which older code can still use.
  const obstacle = changed?.name ?? (missing.length > 0 ? unknown[0] : undefined)
  if (obstacle) {
    throw new Error(
      `This database is from an earlier version of Tidings and can't be updated, because its migration ${obstacle} ` +
        `isn't part of this version: begin anew by deleting the data folder (.data), with ` +
        `'docker compose down --volumes', or by setting DATABASE_URL to an empty database.`,
    )
  }
  return missing
}

/** Returns the names of applied migrations that this version doesn't have. */
export function listUnknown(migrations: Migration[], applied: AppliedMigration[]): string[] {
  return applied.map(({ name }) => name).filter((name) => migrations.every((one) => one.name !== name))
}
