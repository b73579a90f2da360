import type { InvoiceRecord } from '../records/invoice.ts'
import type { ScheduleRecord, SubscriptionRecord } from '../records/subscription.ts'
import { nextPeriodItems, periodEndOf } from '../rules/item-periods.ts'
import { daySeconds } from '../rules/periods.ts'
import { hasEnded } from '../rules/running-subscriptions.ts'
import { toWireSubscription } from '../wire/subscription.ts'
import type { World } from '../world/world.ts'
import { payingCardId } from './cards/paying-card.ts'
import { createDueQueue, type Due } from './due-queue.ts'
import { draftInvoice, finalizeInvoice, markUncollectible, voidInvoice } from './invoices/invoices.ts'
import { periodLine } from './invoices/lines.ts'
import { tryInvoice } from './payments/paying.ts'
import { enterNextPhase } from './schedules/run-schedule.ts'
import { endSubscription } from './standing/end-subscription.ts'
import { cancelScheduleAlone } from './standing/put-schedule.ts'
import { updateSubscription } from './standing/put-subscription.ts'

const incompleteSeconds = 23 * 3_600
const trialEndNoticeSeconds = 3 * daySeconds
const draftSeconds = 3_600

type Task = { kind: keyof typeof kinds; id: string }

/** What can fall due, and on what. At the same moment what ends comes before what goes on: the lower rank first. */
const kinds = {
  phase: { rank: 0, owner: 'schedule' },
  cancel: { rank: 1, owner: 'subscription' },
  expire: { rank: 1, owner: 'subscription' },
  'expire-update': { rank: 1, owner: 'subscription' },
  'end-discounts': { rank: 2, owner: 'subscription' },
  'go-on-collecting': { rank: 2, owner: 'subscription' },
  'announce-trial-end': { rank: 2, owner: 'subscription' },
  'end-trial': { rank: 3, owner: 'subscription' },
  renew: { rank: 3, owner: 'subscription' },
  finalize: { rank: 4, owner: 'invoice' },
  retry: { rank: 5, owner: 'invoice' },
} as const

/**
 * Does everything that falls due up to `until` on a test clock (null: on the wall's time), in the order in which it
 * falls due and each at its own time: renewals, trial ends, retries, expiries, phases of schedules, ends.
 */
export function runDue(world: World, testClockId: string | null, until: number): void {
  const queue = createDueQueue<Task>()
  const enqueue = (dues: Due<Task>[]) => {
    for (const due of dues) if (due.at <= until) queue.add(due)
  }
  for (const { id } of world.of('schedule').list((schedule) => schedule.testClockId === testClockId)) {
    enqueue(nextOfSchedule(world, id))
  }
  for (const { id } of world.of('subscription').list((one) => one.testClockId === testClockId)) {
    enqueue(nextOfSubscription(world, id))
  }
  for (const invoice of world.of('invoice').list((one) => isAlone(one) && one.testClockId === testClockId)) {
    enqueue(nextOfInvoice(invoice))
  }
  for (let due = queue.take(); due; due = queue.take()) {
    const { task, at } = due
    // What happened meanwhile may have moved it or done away with it.
    if (!nextOf(world, task).some((one) => one.at === at && one.task.kind === task.kind)) continue
    world.at(at, testClockId, () => perform(world, task))
    const subscriptionId = subscriptionOf(world, task)
    if (subscriptionId === null) {
      enqueue(nextOf(world, task))
      continue
    }
    // One step of a subscription can bring on others, of its invoices and of its schedule too.
    enqueue(nextOfSubscription(world, subscriptionId))
    const { scheduleId } = world.of('subscription').get(subscriptionId)
    if (scheduleId) enqueue(nextOfSchedule(world, scheduleId))
  }
}

function nextOf(world: World, { kind, id }: Task): Due<Task>[] {
  switch (kinds[kind].owner) {
    case 'schedule':
      return nextOfSchedule(world, id)
    case 'subscription':
      return nextOfSubscription(world, id)
    case 'invoice':
      return nextOfInvoice(world.of('invoice').get(id))
  }
}

/** The subscription that a task changes; null when it changes none. */
function subscriptionOf(world: World, { kind, id }: Task): string | null {
  switch (kinds[kind].owner) {
    case 'schedule':
      return world.of('schedule').get(id).subscriptionId
    case 'subscription':
      return id
    case 'invoice':
      return world.of('invoice').get(id).subscriptionId
  }
}

function dueOf(at: number, kind: Task['kind'], id: string): Due<Task> {
  return { at, rank: kinds[kind].rank, task: { kind, id } }
}

function nextOfSchedule(world: World, id: string): Due<Task>[] {
  const { status, phases, phaseIndex }: ScheduleRecord = world.of('schedule').get(id)
  if (status === 'not_started') return [dueOf(phases[0]?.startDate ?? 0, 'phase', id)]
  const current = phases[phaseIndex]
  return status === 'active' && current ? [dueOf(current.endDate, 'phase', id)] : []
}

/** An invoice that no subscription looks after. */
function isAlone({ subscriptionId, status }: InvoiceRecord) {
  return subscriptionId === null && (status === 'draft' || status === 'open')
}

function nextOfInvoice({
  id,
  status,
  autoAdvance,
  nextPaymentAttempt,
  created,
  billingReason,
}: InvoiceRecord): Due<Task>[] {
  if (status === 'open' && autoAdvance && nextPaymentAttempt !== null) {
    return [dueOf(nextPaymentAttempt, 'retry', id)]
  }
  const waits = status === 'draft' && autoAdvance && billingReason === 'manual'
  return waits ? [dueOf(created + draftSeconds, 'finalize', id)] : []
}

/** Everything that can fall due on a subscription and its invoices, at the earliest. */
function nextOfSubscription(world: World, id: string): Due<Task>[] {
  const subscription = world.of('subscription').get(id)
  const { status, created, trialEnd, cancelAt, pauseCollection, pendingUpdate, discounts, items } =
    subscription
  if (hasEnded(subscription)) return []
  if (status === 'incomplete') return [dueOf(created + incompleteSeconds, 'expire', id)]
  const ends = discounts.flatMap(({ end }) => end ?? [])
  const renewed = ['active', 'past_due', 'unpaid'].includes(status)
  const isTrial = status === 'trialing' && trialEnd !== null
  const retried = world
    .of('invoice')
    .ofCustomer(subscription.customerId, (one) => one.subscriptionId === id && one.status !== 'paid')
  return [
    ...(cancelAt === null ? [] : [dueOf(cancelAt, 'cancel', id)]),
    ...(pauseCollection?.resumesAt ? [dueOf(pauseCollection.resumesAt, 'go-on-collecting', id)] : []),
    ...(pendingUpdate ? [dueOf(pendingUpdate.expiresAt, 'expire-update', id)] : []),
    ...(ends.length > 0 ? [dueOf(Math.min(...ends), 'end-discounts', id)] : []),
    ...(isTrial ? [dueOf(trialEnd, 'end-trial', id)] : []),
    ...(isTrial && !subscription.trialEndAnnounced
      ? [dueOf(Math.max(created, trialEnd - trialEndNoticeSeconds), 'announce-trial-end', id)]
      : []),
    ...(renewed ? [dueOf(periodEndOf(items), 'renew', id)] : []),
    ...retried.flatMap(nextOfInvoice),
  ]
}

function perform(world: World, { kind, id }: Task): void {
  switch (kind) {
    case 'phase':
      enterNextPhase(world, id)
      return
    case 'cancel':
      endSubscription(world, id, { reason: 'cancellation_requested' })
      return
    case 'expire':
      expire(world, id)
      return
    case 'expire-update':
      expireUpdate(world, id)
      return
    case 'end-discounts':
      endDiscounts(world, id)
      return
    case 'go-on-collecting':
      updateSubscription(world, id, { pauseCollection: null })
      return
    case 'announce-trial-end':
      announceTrialEnd(world, id)
      return
    case 'end-trial':
      endTrial(world, id)
      return
    case 'renew':
      renew(world, world.of('subscription').get(id), {})
      return
    case 'finalize':
    case 'retry':
      tryInvoice(world, id, { isScheduled: true })
      return
  }
}

/** The first invoice was not paid in time: it is void, and the subscription and its schedule never were. */
function expire(world: World, id: string) {
  const { latestInvoiceId, scheduleId } = world.of('subscription').get(id)
  if (latestInvoiceId && world.of('invoice').get(latestInvoiceId).status === 'open') {
    voidInvoice(world, latestInvoiceId)
  }
  if (scheduleId) cancelScheduleAlone(world, scheduleId)
  const endedAt = world.now(world.of('subscription').get(id).testClockId)
  updateSubscription(world, id, { status: 'incomplete_expired', endedAt, canceledAt: endedAt })
}

function expireUpdate(world: World, id: string) {
  const { pendingUpdate } = world.of('subscription').get(id)
  if (!pendingUpdate) return
  if (world.of('invoice').get(pendingUpdate.invoiceId).status === 'open')
    voidInvoice(world, pendingUpdate.invoiceId)
  updateSubscription(world, id, { pendingUpdate: null }, 'customer.subscription.pending_update_expired')
}

function endDiscounts(world: World, id: string) {
  const { discounts, testClockId } = world.of('subscription').get(id)
  const now = world.now(testClockId)
  updateSubscription(world, id, { discounts: discounts.filter(({ end }) => end === null || end > now) })
}

function announceTrialEnd(world: World, id: string) {
  const before = world.of('subscription').get(id)
  const announced = world.of('subscription').put({ ...before, trialEndAnnounced: true })
  world.emit('customer.subscription.trial_will_end', toWireSubscription(world, announced), {
    testClockId: before.testClockId,
  })
}

/** A trial goes over into the first paid period. Without a card it ends or pauses, if that was asked for. */
function endTrial(world: World, id: string) {
  const subscription = world.of('subscription').get(id)
  const { trialEndBehaviour, customerId } = subscription
  const hasCard = payingCardId(world, { customerId, subscriptionId: id }) !== null
  if (!hasCard && trialEndBehaviour === 'cancel') {
    endSubscription(world, id, { reason: 'cancellation_requested' })
    return
  }
  if (!hasCard && trialEndBehaviour === 'pause') {
    updateSubscription(world, id, { status: 'paused' }, 'customer.subscription.paused')
    return
  }
  renew(world, subscription, { status: 'active' })
}

/** The next billing period begins and is invoiced. */
function renew(world: World, subscription: SubscriptionRecord, patch: Partial<SubscriptionRecord>) {
  const { id, customerId, pauseCollection, status } = subscription
  const at = world.now(subscription.testClockId)
  const { items, billingCycleAnchor } = nextPeriodItems(world, subscription, at)
  const [ended] = subscription.items
  const isHeld = pauseCollection?.behavior === 'keep_as_draft' || status === 'unpaid'
  const [first] = items
  const invoice = draftInvoice(world, {
    customerId,
    subscriptionId: id,
    billingReason: 'subscription_cycle',
    currency: world.of('price').get(first?.priceId ?? '').currency,
    lines: items.map((item) => periodLine(world, subscription, item)),
    discounts: subscription.discounts,
    period: { start: ended?.currentPeriodStart ?? at, end: at },
    autoAdvance: !isHeld,
  })
  updateSubscription(world, id, { ...patch, items, billingCycleAnchor, latestInvoiceId: invoice.id })
  if (isHeld) return
  if (pauseCollection === null) {
    tryInvoice(world, invoice.id, { isScheduled: true })
    return
  }
  if (finalizeInvoice(world, invoice.id).status === 'paid') return
  if (pauseCollection.behavior === 'void') voidInvoice(world, invoice.id)
  else markUncollectible(world, invoice.id)
}
