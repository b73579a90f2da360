import { invalid } from '../errors.ts'
import type { InvoiceLineRecord, SubscriptionItemRecord, SubscriptionRecord } from '../records.ts'
import type { World } from '../world.ts'
import { periodLine } from './lines.ts'
import { nextPeriodEnd } from './periods.ts'
import { isSameInterval, recurringOf, requireOneKind, requirePrice } from './price-rules.ts'
import { creditLine, remainderLine } from './proration.ts'

export type ProrationBehaviour = 'always_invoice' | 'create_prorations' | 'none'

/** An item to add (without `itemId`), to change, or to take away. */
export type ItemChange = {
  itemId?: string | undefined
  priceId?: string | undefined
  quantity?: number | undefined
  isDeleted?: boolean | undefined
  metadata?: Record<string, string> | undefined
}

/** The parts of a change that decide what is billed. */
export type BillingChange = {
  items?: ItemChange[] | undefined
  /** Prices that were agreed on earlier and are good even if they are archived by now. */
  keptPrices?: { priceId: string }[] | undefined
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
  const recurring = recurringOf(world, wanted)
  const base = {
    billingCycleAnchor: subscription.billingCycleAnchor,
    status: subscription.status,
    trialStart: subscription.trialStart,
    trialEnd: subscription.trialEnd,
  }
  const isTrialing = subscription.status === 'trialing'
  const credits = () =>
    isTrialing || behaviour === 'none'
      ? []
      : subscription.items.flatMap((item) => creditLine(world, subscription, item, at) ?? [])

  if (typeof change.trialEnd === 'number') {
    if (change.trialEnd <= now) {
      throw invalid('Invalid timestamp: must be an integer Unix timestamp in the future.', {
        param: 'trial_end',
      })
    }
    const trialEnd = change.trialEnd
    const items = wanted.map((item) => ({ ...item, currentPeriodStart: now, currentPeriodEnd: trialEnd }))
    const trial = { status: 'trialing' as const, trialStart: subscription.trialStart ?? now, trialEnd }
    const prorations = credits()
    const isInvoicedNow = behaviour === 'always_invoice' && prorations.length > 0
    return { ...base, ...trial, billingCycleAnchor: trialEnd, items, prorations, periods: [], isInvoicedNow }
  }

  const endsTrial = isTrialing && change.trialEnd !== undefined
  if (isTrialing && !endsTrial) {
    return { ...base, items: wanted, prorations: [], periods: [], isInvoicedNow: false }
  }
  const isOtherInterval = !isSameInterval(recurring, recurringOf(world, subscription.items))
  if (isOtherInterval || endsTrial || change.billingCycleAnchor === 'now') {
    const end = nextPeriodEnd(now, now, recurring)
    const items = wanted.map((item) => ({ ...item, currentPeriodStart: now, currentPeriodEnd: end }))
    const ended = endsTrial ? { status: 'active' as const, trialEnd: now } : {}
    const periods = items.map((item) => periodLine(world, subscription, item))
    return {
      ...base,
      ...ended,
      billingCycleAnchor: now,
      items,
      prorations: credits(),
      periods,
      isInvoicedNow: true,
    }
  }

  const prorations = behaviour === 'none' ? [] : prorationsOf(world, subscription, wanted, at)
  const isInvoicedNow = behaviour === 'always_invoice' && prorations.length > 0
  return { ...base, items: wanted, prorations, periods: [], isInvoicedNow }
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

/** The items after a change, in the billing period of now. */
function changedItems(
  world: World,
  subscription: SubscriptionRecord,
  { items: changes = [], keptPrices: kept = [] }: BillingChange,
  now: number,
): SubscriptionItemRecord[] {
  const [first] = subscription.items
  let items = subscription.items
  for (const [index, change] of changes.entries()) {
    const { itemId, priceId, quantity, isDeleted, metadata } = change
    const param = `items[${index}]`
    if (priceId !== undefined) {
      const { currency } = requirePrice(world, priceId, `${param}[price]`, [...items, ...kept])
      refuseOtherCurrency(world, subscription, currency, `${param}[price]`)
    }
    if (itemId === undefined) {
      if (priceId === undefined) {
        throw invalid(`Missing required param: ${param}[price].`, {
          code: 'parameter_missing',
          param: `${param}[price]`,
        })
      }
      if (items.some((item) => item.priceId === priceId)) throw twice(priceId, param)
      const added = {
        id: world.newId('si'),
        created: now,
        metadata: metadata ?? {},
        priceId,
        quantity: quantity ?? 1,
        currentPeriodStart: first?.currentPeriodStart ?? now,
        currentPeriodEnd: first?.currentPeriodEnd ?? now,
      }
      items = [...items, added]
      continue
    }
    const found = items.find(({ id }) => id === itemId)
    if (!found) {
      throw invalid(`No such subscription_item: '${itemId}'`, {
        code: 'resource_missing',
        param: `${param}[id]`,
      })
    }
    const changed = {
      ...found,
      priceId: priceId ?? found.priceId,
      quantity: quantity ?? found.quantity,
      metadata: metadata ? { ...found.metadata, ...metadata } : found.metadata,
    }
    items = isDeleted
      ? items.filter(({ id }) => id !== itemId)
      : items.map((item) => (item.id === itemId ? changed : item))
    if (items.length === 0) {
      throw invalid('A subscription must have at least one active item.', { param })
    }
  }
  requireOneKind(world, items)
  return items
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

function refuseOtherCurrency(
  world: World,
  { items: [first] }: SubscriptionRecord,
  currency: string,
  param: string,
) {
  const expected = first ? world.of('price').get(first.priceId).currency : currency
  if (currency === expected) return
  throw invalid(
    `The price specified supports currencies of \`${currency}\`. This doesn't match the expected currency: \`${expected}\`.`,
    { param },
  )
}

function twice(priceId: string, param: string) {
  const message = `Cannot add multiple subscription items with the same plan: ${priceId}`
  return invalid(message, { param })
}
