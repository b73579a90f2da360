import type { PushDevice } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

export type PushDeviceRow = PushDevice

export type NewPushDevice = Pick<
  PushDevice,
  | 'memberId'
  | 'sessionId'
  | 'name'
  | 'endpoint'
  | 'endpointHash'
  | 'p256dh'
  | 'auth'
  | 'vapidKey'
  | 'createdAt'
>

/** Lists a member's devices, newest first. */
export async function listPushDevices(db: Db, memberId: string): Promise<PushDeviceRow[]> {
  return await db.pushDevice.findMany({
    where: { memberId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })
}

/** Lists the devices of a member that a key of ours reaches. */
export async function listReachedPushDevices(
  db: Db,
  memberId: string,
  vapidKey: string | null,
): Promise<PushDeviceRow[]> {
  return await db.pushDevice.findMany({ where: { memberId, OR: [{ vapidKey }, { vapidKey: null }] } })
}

/** Removes the devices of other keys than this one that were added and last notified before. */
export async function removeUnreachedPushDevices(db: Db, vapidKey: string, before: Date): Promise<void> {
  await db.pushDevice.deleteMany({
    where: {
      vapidKey: { not: vapidKey },
      createdAt: { lt: before },
      OR: [{ lastNotifiedAt: null }, { lastNotifiedAt: { lt: before } }],
    },
  })
}

/** Locks a member, so that devices are added one after another. Returns false without the member. */
export async function lockMemberOfDevices(tx: Db, memberId: string): Promise<boolean> {
  const rows = await tx.$queryRaw`SELECT 1 FROM member WHERE id = ${memberId} FOR NO KEY UPDATE`
  return rows.length > 0
}

/**
 * Locks a session, so that it can't end while it adds a browser: the browser would stay. Returns false if it isn't active.
 */
export async function lockSessionOfDevice(
  tx: Db,
  { id, memberId }: { id: string; memberId: string },
  now: Date,
): Promise<boolean> {
  const rows = await tx.$queryRaw`
    SELECT 1 FROM member_session
    WHERE id = ${id}::uuid AND member_id = ${memberId} AND expires_at > ${now} FOR KEY SHARE`
  return rows.length > 0
}

/** Updates a browser of the member; returns null if it isn't the member's. */
export async function renewPushDevice(
  tx: Db,
  { memberId, endpointHash, ...device }: NewPushDevice,
): Promise<PushDeviceRow | null> {
  const where = { endpointHash, memberId }
  const { sessionId, name, p256dh, auth, vapidKey } = device
  const data = { sessionId, name, p256dh, auth, vapidKey }
  const [row] = await tx.pushDevice.updateManyAndReturn({ where, data })
  return row ?? null
}

export async function countPushDevices(tx: Db, memberId: string): Promise<number> {
  return await tx.pushDevice.count({ where: { memberId } })
}

/**
 * Stores a browser. One that another member had there becomes this member's: under another id, and without when it was
 * notified. It keeps its last run, so that it isn't notified of an edition twice.
 */
export async function storePushDevice(tx: Db, id: string, device: NewPushDevice): Promise<PushDeviceRow> {
  const { endpointHash } = device
  return await tx.pushDevice.upsert({
    where: { endpointHash },
    create: { id, ...device },
    update: { id, ...device, lastNotifiedAt: null },
  })
}

/** Removes a member's device. Returns false if it isn't the member's. */
export async function removePushDevice(db: Db, memberId: string, id: string): Promise<boolean> {
  const { count } = await db.pushDevice.deleteMany({ where: { id, memberId } })
  return count > 0
}

/** Removes a device whose browser has ended its subscription, unless it has another one since. */
export async function removeGonePushDevice(db: Db, { id, p256dh }: PushDeviceRow): Promise<void> {
  await db.pushDevice.deleteMany({ where: { id, p256dh } })
}

/** Stores that a device was notified in a run. */
export async function storeNotified(
  db: Db,
  { endpointHash }: PushDeviceRow,
  { runId, at }: { runId: number; at: Date },
): Promise<void> {
  // By its address: it may have become another member's meanwhile.
  await db.pushDevice.updateMany({ where: { endpointHash }, data: { lastRunId: runId, lastNotifiedAt: at } })
}
