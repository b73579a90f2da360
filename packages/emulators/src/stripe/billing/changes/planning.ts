import { invalid } from '../../protocol/errors.ts'
import type { InvoiceLineRecord } from '../../records/invoice.ts'
import type { SubscriptionItemRecord, SubscriptionRecord } from '../../records/subscription.ts'
import { nextPeriodEnd } from '../../rules/periods.ts'
import { isSameInterval, recurringOf } from '../../rules/price-rules.ts'
import type { World } from '../../world/world.ts'
import { periodLine } from '../invoices/lines.ts'
import { creditLine, remainderLine } from '../invoices/proration.ts'
import { changedItems, type ItemChanges } from './changed-items.ts'

export type ProrationBehaviour = 'always_invoice' | 'create_prorations' | 'none'

/** The parts of a change that decide what is billed. */
export type BillingChange = ItemChanges & {
  prorationBehavior?: ProrationBehaviour | undefined
  prorationDate?: number | undefined
  billingCycleAnchor?: 'now' | 'unchanged' | undefined
  trialEnd?: number | 'now' | undefined
}

/** What a change makes of a subscription and of its bills. */
export type ChangePlan = {
  items: SubscriptionItemRecord[]
  billingCycleAnchor: number
  status: SubscriptionRecord['status']
  trialStart: number | null
  trialEnd: number | null
  /** What is given back and what is charged for the rest of the period. */
  prorations: InvoiceLineRecord[]
  /** New periods that begin with the change. */
  periods: InvoiceLineRecord[]
  isInvoicedNow: boolean
}

/** A change under way: what was asked for, and what is known of it before it is worked out. */
type Course = {
  subscription: SubscriptionRecord
  change: BillingChange
  now: number
  /** When prorations begin to count. */
  at: number
  behaviour: ProrationBehaviour
  /** The items after the change, in the billing period of now. */
  wanted: SubscriptionItemRecord[]
}

/** Works a change out without doing it. Throws what Stripe throws for items that do not fit. */
export function planChange(
  world: World,
  subscription: SubscriptionRecord,
  change: BillingChange,
): ChangePlan {
  const now = world.now(subscription.testClockId)
  const at = prorationDateOf(subscription, change, now)
  const behaviour = change.prorationBehavior ?? 'create_prorations'
  const wanted = changedItems(world, subscription, change, now)
  const course = { subscription, change, now, at, behaviour, wanted }
  if (typeof change.trialEnd === 'number') return trialPlan(world, course, change.trialEnd)

  const isTrialing = subscription.status === 'trialing'
  if (isTrialing && change.trialEnd === undefined) return { ...asIs(subscription), items: wanted }
  const recurring = recurringOf(world, wanted)
  const isOtherInterval = !isSameInterval(recurring, recurringOf(world, subscription.items))
  if (isOtherInterval || isTrialing || change.billingCycleAnchor === 'now')
    return newPeriodPlan(world, course)

  const prorations = behaviour === 'none' ? [] : prorationsOf(world, subscription, wanted, at)
  const isInvoicedNow = behaviour === 'always_invoice' && prorations.length > 0
  return { ...asIs(subscription), items: wanted, prorations, isInvoicedNow }
}

/** A plan that changes nothing and bills nothing. */
function asIs({ items, billingCycleAnchor, status, trialStart, trialEnd }: SubscriptionRecord): ChangePlan {
  const unbilled = { prorations: [], periods: [], isInvoicedNow: false }
  return { items, billingCycleAnchor, status, trialStart, trialEnd, ...unbilled }
}

/** A trial until `trialEnd` begins, or goes on until then. */
function trialPlan(world: World, course: Course, trialEnd: number): ChangePlan {
  const { subscription, now, behaviour, wanted } = course
  if (trialEnd <= now) {
    throw invalid('Invalid timestamp: must be an integer Unix timestamp in the future.', {
      param: 'trial_end',
    })
  }
  const prorations = creditsOf(world, course)
  return {
    ...asIs(subscription),
    items: wanted.map((item) => ({ ...item, currentPeriodStart: now, currentPeriodEnd: trialEnd })),
    status: 'trialing',
    trialStart: subscription.trialStart ?? now,
    trialEnd,
    billingCycleAnchor: trialEnd,
    prorations,
    isInvoicedNow: behaviour === 'always_invoice' && prorations.length > 0,
  }
}

/** A billing period begins with the change; a trial is over. */
function newPeriodPlan(world: World, course: Course): ChangePlan {
  const { subscription, now, wanted } = course
  const end = nextPeriodEnd(now, now, recurringOf(world, wanted))
  const items = wanted.map((item) => ({ ...item, currentPeriodStart: now, currentPeriodEnd: end }))
  const ended = subscription.status === 'trialing' ? { status: 'active' as const, trialEnd: now } : {}
  return {
    ...asIs(subscription),
    ...ended,
    billingCycleAnchor: now,
    items,
    prorations: creditsOf(world, course),
    periods: items.map((item) => periodLine(world, subscription, item)),
    isInvoicedNow: true,
  }
}

/** What the period that is broken off gives back. A trial cost nothing. */
function creditsOf(world: World, { subscription, behaviour, at }: Course): InvoiceLineRecord[] {
  if (subscription.status === 'trialing' || behaviour === 'none') return []
  return subscription.items.flatMap((item) => creditLine(world, subscription, item, at) ?? [])
}

function prorationsOf(
  world: World,
  subscription: SubscriptionRecord,
  wanted: SubscriptionItemRecord[],
  at: number,
): InvoiceLineRecord[] {
  const isSame = (one: SubscriptionItemRecord, other: SubscriptionItemRecord) =>
    one.id === other.id && one.priceId === other.priceId && one.quantity === other.quantity
  const gone = subscription.items.filter((item) => !wanted.some((other) => isSame(item, other)))
  const come = wanted.filter((item) => !subscription.items.some((other) => isSame(item, other)))
  return [
    ...gone.flatMap((item) => creditLine(world, subscription, item, at) ?? []),
    ...come.map((item) => remainderLine(world, subscription, item, at)),
  ]
}

function prorationDateOf(
  { items }: SubscriptionRecord,
  { prorationDate }: BillingChange,
  now: number,
): number {
  if (prorationDate === undefined) return now
  const start = Math.min(...items.map(({ currentPeriodStart }) => currentPeriodStart))
  const end = Math.max(...items.map(({ currentPeriodEnd }) => currentPeriodEnd))
  if (prorationDate >= start && prorationDate <= end) return prorationDate
  throw invalid(
    'Invalid value for `proration_date`: it must be within the current period of the subscription.',
    { param: 'proration_date' },
  )
}
