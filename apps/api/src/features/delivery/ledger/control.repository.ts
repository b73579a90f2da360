import type { Db } from '#platform/database.ts'

/** Whether anything may be sent, and why not. */
export type SendingGate = { isOpen: true } | { isOpen: false; reason: 'held' | 'unconfirmed-instance' }

/**
 * Returns what distinguishes this database from its copies: the cluster, the database in it, the timeline, which a
 * point-in-time recovery changes, and the site's host name.
 */
async function instanceOf(db: Db, siteHost: string): Promise<string> {
  const rows = await db.$queryRaw<{ instance: string }[]>`
    SELECT concat_ws('/',
      (SELECT system_identifier FROM pg_control_system()),
      (SELECT oid FROM pg_database WHERE datname = current_database()),
      left(pg_walfile_name(pg_current_wal_lsn()), 8)
    ) AS instance`
  return `${rows[0]?.instance ?? ''}/${siteHost}`
}

/** Returns whether sending is allowed. The first call records the instance. */
export async function readSendingGate(db: Db, siteHost: string, now: Date): Promise<SendingGate> {
  const instance = await instanceOf(db, siteHost)
  await db.deliveryControl.createMany({ data: [{ instance, confirmedAt: now }], skipDuplicates: true })
  const control = await db.deliveryControl.findUniqueOrThrow({ where: { id: 1 } })
  if (control.instance !== instance) return { isOpen: false, reason: 'unconfirmed-instance' }
  return control.heldAt === null ? { isOpen: true } : { isOpen: false, reason: 'held' }
}

/** Records that this database is the one that sends. */
export async function confirmInstance(db: Db, siteHost: string, now: Date): Promise<void> {
  const instance = await instanceOf(db, siteHost)
  const update = { instance, confirmedAt: now }
  await db.deliveryControl.upsert({ where: { id: 1 }, create: update, update })
}

/** Holds all sending, or releases it. */
export async function setHeld(db: Db, siteHost: string, heldAt: Date | null, now: Date): Promise<void> {
  await readSendingGate(db, siteHost, now)
  await db.deliveryControl.update({ where: { id: 1 }, data: { heldAt } })
}
