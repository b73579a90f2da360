import type { Db } from '#platform/database.ts'

/** Takes an advisory lock on a PDF until the transaction ends. */
export async function lockPdf(tx: Db, name: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`pdf ${name}`}, 0))`
}
