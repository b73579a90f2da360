import { z } from 'zod'
import { readRows, withConnection } from './connection.ts'
import { BackupError } from './places/backup-error.ts'

/** The advisory lock of backups and restores of a database. */
const lockKey = 7_310_994

/** Works while no other backup or restore of this database runs. A killed process releases the lock. */
export async function withSiteLock<T>(url: string, work: () => Promise<T>): Promise<T> {
  return await withConnection(url, async (client) => {
    const sql = 'SELECT pg_try_advisory_lock($1) AS "isFree"'
    const [row] = await readRows(client, z.object({ isFree: z.boolean() }), sql, [lockKey])
    if (row?.isFree !== true)
      throw new BackupError('Another backup or restore of this database is running. Wait until it has ended.')
    return await work()
  })
}
