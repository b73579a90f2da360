import { type MemberRow, memberCacheKey } from '#features/members/index.ts'
import { connectionIdPrefix } from '#features/plans/index.ts'
import type { Subscription } from '#integrations/payments/payment-gateway.ts'
import type { Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { BillingDeps } from '../billing.deps.ts'
import type { LeasedCustomer } from '../customers/customers.repository.ts'
import { planNameOf } from '../prices/catalog.ts'
import { readPrices } from '../prices/prices.repository.ts'
import { billingEmailsFor } from './billing-emails.ts'
import {
  createPaidConnection,
  listPaidConnections,
  releaseSubscriptions,
  removeConnections,
  updatePaidConnection,
} from './plan-connections.repository.ts'
import {
  type ConnectionChanges,
  compareConnections,
  connectionsOf,
  missingOf,
  type Renewals,
} from './plan-connections.ts'

type Deps = Pick<BillingDeps, 'emails' | 'invalidation' | 'clock' | 'ids' | 'graceMs'>

/** A plan that a sync changed, with its former and new status. */
export type SyncChange = { memberId: string; planId: string; before: string; after: string }

/** Stores what a customer's subscriptions mean for the member's plans, and enqueues the emails about it. */
export async function updateConnections(
  tx: Db,
  deps: Deps,
  app: MembershipApp,
  row: MemberRow,
  { syncedAt }: LeasedCustomer,
  { subscriptions, renewals }: { subscriptions: readonly Subscription[]; renewals: Renewals },
): Promise<SyncChange[]> {
  const { clock, graceMs, emails, invalidation } = deps
  const prices = await readPrices(tx, app.id)
  const stored = await listPaidConnections(tx, [row.id])
  const now = clock.now()
  const paid = connectionsOf({ subscriptions, prices, now, graceMs, renewals })
  const wanted = [...paid, ...missingOf(stored, subscriptions, paid, now)]
  const changes = compareConnections(stored, wanted)
  if (changes.removed.length === 0 && changes.written.length === 0) return []

  await write(tx, deps, row, changes)
  const planName = (planId: string) => planNameOf(app, planId)
  const facts = { planName, prices, renewals, graceMs, storedAt: syncedAt }
  for (const { email, cause } of billingEmailsFor({ stored, wanted, subscriptions }, facts))
    await emails.enqueueToProved(tx, app, row.id, email, { cause })
  await invalidation.invalidate(tx, { at: [memberCacheKey(row.id)] })
  return syncChangesOf(row.id, changes)
}

async function write(
  tx: Db,
  { ids, clock }: Deps,
  { id: memberId }: MemberRow,
  { removed, written }: ConnectionChanges,
): Promise<void> {
  const replaced = written.flatMap(({ before }) => (before === null ? [] : [before.id]))
  await removeConnections(
    tx,
    removed.map(({ id }) => id),
  )
  await releaseSubscriptions(tx, replaced)
  for (const { before, after } of written) {
    if (before !== null) await updatePaidConnection(tx, before.id, after)
    else
      await createPaidConnection(tx, {
        ...after,
        id: ids.public(connectionIdPrefix),
        memberId,
        createdAt: clock.now(),
      })
  }
}

function syncChangesOf(memberId: string, { removed, written }: ConnectionChanges): SyncChange[] {
  const changes = written.map(({ before, after }) => ({
    memberId,
    planId: after.planId,
    before: before?.status ?? 'none',
    after: after.status,
  }))
  return [
    ...removed.map(({ planId, status }) => ({ memberId, planId, before: status, after: 'none' })),
    ...changes,
  ]
}
