import type { Db } from '#platform/database.ts'

/** A server that hands over deliveries and is unavailable. */
export type UnavailableServer = { transport: string; unavailableSince: Date; reason: string }

/** Stores that a server is unavailable; the first time stays. */
export async function storeUnavailable(db: Db, server: UnavailableServer): Promise<void> {
  const { transport, unavailableSince, reason } = server
  await db.$executeRaw`
    INSERT INTO delivery_server (transport, unavailable_since, reason)
    VALUES (${transport}, ${unavailableSince}, left(${reason}, 300))
    ON CONFLICT (transport) DO UPDATE SET reason = excluded.reason`
}

/** Stores that a server accepts messages. */
export async function storeAvailable(db: Db, transport: string): Promise<void> {
  await db.deliveryServer.deleteMany({ where: { transport } })
}

export async function listUnavailableServers(db: Db): Promise<UnavailableServer[]> {
  return await db.deliveryServer.findMany()
}
