import type { InvoiceRecord, ScheduleRecord, SubscriptionRecord } from '../records.ts'
import { toWireSubscription } from '../wire/subscription.ts'
import type { World } from '../world.ts'
import { nextPeriodItems, periodEndOf } from './change.ts'
import { createDueQueue, type Due } from './due-queue.ts'
import { draftInvoice, finalizeInvoice, markUncollectible, voidInvoice } from './invoices.ts'
import { periodLine } from './lines.ts'
import { payingCardId, tryInvoice } from './paying.ts'
import { daySeconds } from './periods.ts'
import { enterNextPhase } from './schedules.ts'
import { endSubscription, updateSubscription } from './subscription-changes.ts'

const incompleteSeconds = 23 * 3_600
const trialEndNoticeSeconds = 3 * daySeconds
const draftSeconds = 3_600

type Task =
  | { kind: 'phase'; id: string }
  | { kind: 'cancel' | 'expire' | 'expire-update' | 'end-discounts' | 'go-on-collecting'; id: string }
  | { kind: 'announce-trial-end' | 'end-trial' | 'renew'; id: string }
  | { kind: 'retry' | 'finalize'; id: string }

/** At the same moment what ends comes before what goes on. */
const ranks: Record<Task['kind'], number> = {
  phase: 0,
  cancel: 1,
  expire: 1,
  'expire-update': 1,
  'end-discounts': 2,
  'go-on-collecting': 2,
  'announce-trial-end': 2,
  'end-trial': 3,
  renew: 3,
  finalize: 4,
  retry: 5,
}

/**
 * Does everything that falls due up to `until` on a test clock (null: on the wall's time), in the order in which it
 * falls due and each at its own time: renewals, trial ends, retries, expiries, phases of schedules, ends.
 */
export function runDue(world: World, testClockId: string | null, until: number): void {
  const queue = createDueQueue<Task>()
  const enqueue = (due: Due<Task> | undefined) => {
    if (due && due.at <= until) queue.add(due)
  }
  for (const { id } of world.of('schedule').list((schedule) => schedule.testClockId === testClockId)) {
    enqueue(nextOfSchedule(world, id))
  }
  for (const { id } of world.of('subscription').list((one) => one.testClockId === testClockId)) {
    for (const due of nextOfSubscription(world, id)) enqueue(due)
  }
  for (const invoice of world.of('invoice').list((one) => isAlone(one) && one.testClockId === testClockId)) {
    enqueue(nextOfInvoice(invoice))
  }
  for (let due = queue.take(); due; due = queue.take()) {
    const { task, at } = due
    const now = nextOf(world, task)
    // What happened meanwhile may have moved it or done away with it.
    if (!now.some((one) => one.at === at && one.task.kind === task.kind)) continue
    world.at(at, testClockId, () => perform(world, task))
    const subscriptionId = subscriptionOf(world, task)
    if (task.kind === 'phase') enqueue(nextOfSchedule(world, task.id))
    if (task.kind === 'retry' || task.kind === 'finalize')
      enqueue(nextOfInvoice(world.of('invoice').get(task.id)))
    if (subscriptionId === null) continue
    for (const next of nextOfSubscription(world, subscriptionId)) enqueue(next)
    const { scheduleId } = world.of('subscription').get(subscriptionId)
    if (scheduleId) enqueue(nextOfSchedule(world, scheduleId))
  }
}

function nextOf(world: World, task: Task): Due<Task>[] {
  if (task.kind === 'phase') return [nextOfSchedule(world, task.id) ?? []].flat()
  if (task.kind === 'retry' || task.kind === 'finalize') {
    return [nextOfInvoice(world.of('invoice').get(task.id)) ?? []].flat()
  }
  return nextOfSubscription(world, task.id)
}

function subscriptionOf(world: World, task: Task): string | null {
  if (task.kind === 'phase') return world.of('schedule').get(task.id).subscriptionId
  if (task.kind === 'retry' || task.kind === 'finalize')
    return world.of('invoice').get(task.id).subscriptionId
  return task.id
}

function dueOf(at: number, kind: Task['kind'], id: string): Due<Task> {
  return { at, rank: ranks[kind], task: { kind, id } }
}

function nextOfSchedule(world: World, id: string): Due<Task> | undefined {
  const { status, phases, phaseIndex }: ScheduleRecord = world.of('schedule').get(id)
  if (status === 'not_started') return dueOf(phases[0]?.startDate ?? 0, 'phase', id)
  const current = phases[phaseIndex]
  return status === 'active' && current ? dueOf(current.endDate, 'phase', id) : undefined
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
}: InvoiceRecord) {
  if (status === 'open' && autoAdvance && nextPaymentAttempt !== null) {
    return dueOf(nextPaymentAttempt, 'retry', id)
  }
  const waits = status === 'draft' && autoAdvance && billingReason === 'manual'
  return waits ? dueOf(created + draftSeconds, 'finalize', id) : undefined
}

/** Everything that can fall due on a subscription and its invoices, at the earliest. */
function nextOfSubscription(world: World, id: string): Due<Task>[] {
  const subscription = world.of('subscription').get(id)
  const { status, created, trialEnd, cancelAt, pauseCollection, pendingUpdate, discounts, items } =
    subscription
  if (status === 'canceled' || status === 'incomplete_expired') return []
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
    ...retried.flatMap((invoice) => nextOfInvoice(invoice) ?? []),
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

/** The first invoice was not paid in time: it is void and the subscription never was. */
function expire(world: World, id: string) {
  const { latestInvoiceId } = world.of('subscription').get(id)
  if (latestInvoiceId && world.of('invoice').get(latestInvoiceId).status === 'open') {
    voidInvoice(world, latestInvoiceId)
  }
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
