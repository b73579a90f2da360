import type { Db } from '#platform/database.ts'

/** Returns a channel's id; null before its first post or subscription. */
export async function findChannel(db: Db, appId: string, key: string): Promise<string | null> {
  const channel = await db.commentChannel.findUnique({
    where: { appId_key: { appId, key } },
    select: { id: true },
  })
  return channel?.id ?? null
}

/** Returns a channel's id and creates the channel if necessary. */
export async function ensureChannel(db: Db, appId: string, key: string): Promise<string> {
  const known = await findChannel(db, appId, key)
  if (known !== null) return known
  await db.commentChannel.createMany({ data: [{ appId, key }], skipDuplicates: true })
  const { id } = await db.commentChannel.findUniqueOrThrow({ where: { appId_key: { appId, key } } })
  return id
}

export async function isSubscribed(db: Db, memberId: string, channelId: string): Promise<boolean> {
  return (await db.commentSubscription.count({ where: { memberId, channelId } })) > 0
}

/** Subscribes a member to the threads of a channel, unless the member was deleted. */
export async function addSubscription(db: Db, memberId: string, channelId: string): Promise<void> {
  await db.$executeRaw`
    INSERT INTO comment_subscription (channel_id, member_id)
    SELECT ${channelId}::uuid, member.id FROM member WHERE member.id = ${memberId} FOR KEY SHARE
    ON CONFLICT DO NOTHING`
}

export async function removeSubscription(db: Db, memberId: string, channelId: string): Promise<void> {
  await db.commentSubscription.deleteMany({ where: { memberId, channelId } })
}
