import type { MailServer } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

export type MailServerRow = MailServer

/** Stores the features of a server. */
export async function storeMailServer(db: Db, row: MailServerRow): Promise<void> {
  const { name, ...change } = row
  await db.mailServer.upsert({ where: { name }, create: row, update: change })
}

/** Returns whether one of the servers has refused SMTPUTF8 since then. */
export async function lacksSmtpUtf8(db: Db, names: readonly string[], since: Date): Promise<boolean> {
  const row = await db.mailServer.findFirst({
    where: { name: { in: [...names] }, offersSmtpUtf8: false, checkedAt: { gt: since } },
  })
  return row !== null
}

/** Removes servers that were not asked since then. */
export async function removeOldMailServers(db: Db, before: Date): Promise<void> {
  await db.mailServer.deleteMany({ where: { checkedAt: { lt: before } } })
}
