import type { Sql } from '#platform/database.ts'

/** Takes an advisory lock on a PDF until the transaction ends. */
export async function lockPdf(tx: Sql, name: string): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`pdf ${name}`}, 0))`
}
