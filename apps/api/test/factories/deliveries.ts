import type { DeliveryMethod } from '#generated/prisma/client.ts'
import type { TestApp } from '../test-app.ts'
import { publishedEdition } from './editions.ts'

type Given = { memberId: string; email: string; method?: DeliveryMethod; key: string; memos?: number }

/** Stores an edition that was sent to a member. */
export async function sentDelivery(
  { context }: TestApp,
  { memberId, email, method = 'memo_email', key, memos = 1 }: Given,
) {
  const { edition, memos: rows } = await publishedEdition(context, key, memos)
  const now = context.clock.now()
  const run = await context.database.db.deliveryRun.create({
    data: { editionId: edition.id, state: 'done', createdAt: now, plannedAt: now, sendAfter: now },
  })
  const delivery = await context.database.db.delivery.create({
    data: { runId: run.id, memberId, method, state: 'sent', recipient: email, sentAt: now, updatedAt: now },
  })
  return { edition, memos: rows, run, delivery }
}
