import type { DiagnoseMigrationHistoryOutput } from '@prisma/schema-engine-wasm/schema_engine_bg'

const reasons: Record<string, (place: string, name: string) => string> = {
  ECONNREFUSED: (place) => `Nothing answers at ${place}. Is the database running, and is DATABASE_URL right?`,
  ENOTFOUND: (place) => `The host of ${place} is not known. Is DATABASE_URL right?`,
  ETIMEDOUT: (place) => `No answer from ${place}. Is the database reachable from here?`,
  '28P01': (place) => `The database at ${place} refused the user or password in DATABASE_URL.`,
  '28000': (place) => `The database at ${place} refused the user in DATABASE_URL.`,
  '3D000': (place, name) => `There is no database '${name}' at ${place}. Create it, or change DATABASE_URL.`,
  '57P03': (place) => `The database at ${place} is still starting. Try again in a moment.`,
}

/** Why talking to the database failed, without the password that the address may carry. */
export function explainDatabaseError(error: unknown, databaseUrl: string | undefined): string {
  const url = databaseUrl && URL.canParse(databaseUrl) ? new URL(databaseUrl) : undefined
  if (databaseUrl && !url)
    return 'DATABASE_URL is not an address like postgresql://user:password@host:5432/name.'
  const explain = reasons[codeOf(error)]
  if (url && explain) return explain(url.host, decodeURIComponent(url.pathname.slice(1)))
  const text = error instanceof Error ? error.message : String(error)
  return url?.password ? text.replaceAll(url.password, '…') : text
}

/**
 * Throws when migrating on would make things worse; answers with a remark when the database is merely ahead
 * of this checkout, which is normal while an older process is being replaced.
 */
export function explainHistory({
  editedMigrationNames,
  failedMigrationNames,
  history,
}: DiagnoseMigrationHistoryOutput): string | undefined {
  if (failedMigrationNames.length > 0) {
    throw new Error(
      `A migration failed half way: ${failedMigrationNames.join(', ')}. Nothing further was applied. Repair the database by ` +
        `hand or from a backup, then record it with 'prisma migrate resolve --applied' or '--rolled-back'.`,
    )
  }
  if (editedMigrationNames.length > 0) {
    throw new Error(
      `Already applied here, but changed since: ${editedMigrationNames.join(', ')}. Migrations only go forward: restore the ` +
        `file and write a new one. A development database can be thrown away instead (delete the data folder).`,
    )
  }
  if (history?.diagnostic === 'historiesDiverge') {
    throw new Error(
      `This database has migrations that are not here (${history.unpersistedMigrationNames.join(', ')}) and lacks ` +
        `others that are (${history.unappliedMigrationNames.join(', ')}). Bring both into one branch first.`,
    )
  }
  if (history?.diagnostic === 'migrationsDirectoryIsBehind') {
    return `The database is ahead of this checkout by ${history.unpersistedMigrationNames.join(', ')}`
  }
  return undefined
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  if (error instanceof Error && /timeout/i.test(error.message) && !('code' in error)) return 'ETIMEDOUT'
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
