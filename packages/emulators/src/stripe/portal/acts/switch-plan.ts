import { changeSubscription } from '../../billing/changes/change.ts'
import type { SubscriptionChange } from '../../billing/changes/change-patch.ts'
import { previewChange } from '../../billing/changes/preview-change.ts'
import { finishAuthentication } from '../../billing/payments/paying.ts'
import { releaseSchedule } from '../../billing/schedules/run-schedule.ts'
import { scheduleOfSubscription, updateSchedule } from '../../billing/schedules/schedules.ts'
import type { DiscountWish } from '../../billing/standing/discount-wishes.ts'
import { invalid } from '../../protocol/errors.ts'
import type { PriceRecord } from '../../records/catalogue.ts'
import type { InvoiceRecord } from '../../records/invoice.ts'
import type { PortalConfigurationRecord } from '../../records/portal.ts'
import type { SubscriptionRecord } from '../../records/subscription.ts'
import { periodEndOf } from '../../rules/item-periods.ts'
import type { World } from '../../world/world.ts'

type Switching = PortalConfigurationRecord['features']['subscriptionUpdate']

/** What a subscription is to become. */
export type Switch = {
  items: { itemId: string; priceId: string; quantity: number }[]
  discounts: DiscountWish[]
}

/** When a switch happens, and what it costs then. */
export type SwitchTerms =
  | { when: 'now'; invoice: InvoiceRecord; isPaidNow: boolean }
  | { when: 'period-end'; at: number }

/** The prices that a portal offers for a subscription's only item, in the configuration's order; without the present one. */
export function offeredPrices(
  world: World,
  { products }: Switching,
  { items }: SubscriptionRecord,
): PriceRecord[] {
  const [item, ...others] = items
  if (!item || others.length > 0) return []
  const present = world.of('price').get(item.priceId)
  return products
    .flatMap(({ priceIds }) => priceIds)
    .flatMap((id) => world.of('price').find(id) ?? [])
    .filter(({ id, active, currency }) => active && currency === present.currency && id !== present.id)
}

/** Works out what a switch would come to. Throws for what cannot be billed. */
export function switchTerms(
  world: World,
  switching: Switching,
  subscription: SubscriptionRecord,
  wanted: Switch,
): SwitchTerms {
  if (waitsForPeriodEnd(world, switching, subscription, wanted)) {
    return { when: 'period-end', at: periodEndOf(subscription.items) }
  }
  const invoice = previewChange(world, subscription.id, changeTo(switching, subscription, wanted))
  return { when: 'now', invoice, isPaidNow: invoice.billingReason !== 'upcoming' }
}

/**
 * Does it: at once, charging what is due, or by a schedule at the period's end. Throws the card's refusal, with nothing
 * changed; `authentication_required` asks for another try with `isAuthenticated`.
 */
export function switchPlan(
  world: World,
  switching: Switching,
  subscription: SubscriptionRecord,
  wanted: Switch,
  { isAuthenticated }: { isAuthenticated: boolean },
): SubscriptionRecord {
  const { id } = subscription
  if (waitsForPeriodEnd(world, switching, subscription, wanted)) {
    stay(world, subscription)
    switchAtPeriodEnd(world, subscription, wanted)
    return world.of('subscription').get(id)
  }
  const change = changeTo(switching, subscription, wanted)
  const paymentBehavior = isAuthenticated ? 'pending_if_incomplete' : 'error_if_incomplete'
  const { latestInvoiceId } = changeSubscription(world, id, { ...change, paymentBehavior })
  const invoice = world.of('invoice').find(latestInvoiceId ?? '')
  if (isAuthenticated && invoice?.status === 'open' && invoice.paymentIntentId) {
    finishAuthentication(world, invoice.paymentIntentId, true)
  }
  // Only now, so that a refusal leaves what was waiting as it was.
  stay(world, subscription)
  return world.of('subscription').get(id)
}

/** Takes back a switch that waits for the period's end. */
export function stay(world: World, { scheduleId }: SubscriptionRecord): void {
  if (scheduleId) releaseSchedule(world, scheduleId)
}

/** A schedule: the period of now as it is, then one period of what is wanted, then the subscription goes on by itself. */
function switchAtPeriodEnd(world: World, { id, items }: SubscriptionRecord, wanted: Switch) {
  const schedule = scheduleOfSubscription(world, id)
  const [current] = schedule.phases
  if (!current) return
  const next = items.map((item) => wanted.items.find(({ itemId }) => itemId === item.id) ?? item)
  const { discounts } = current
  updateSchedule(world, schedule.id, {
    phases: [current, { items: next, discounts, prorationBehavior: 'none' }],
    prorationBehavior: 'none',
  })
}

function changeTo(
  { prorationBehavior, trialUpdateBehavior, billingCycleAnchor }: Switching,
  { status }: SubscriptionRecord,
  { items, discounts }: Switch,
): SubscriptionChange {
  const endsTrial = status === 'trialing' && trialUpdateBehavior === 'end_trial'
  return {
    items,
    prorationBehavior,
    ...(discounts.length > 0 ? { discounts } : {}),
    ...(endsTrial ? { trialEnd: 'now' as const } : {}),
    ...(billingCycleAnchor ? { billingCycleAnchor } : {}),
  }
}

/** Whether one of the configuration's conditions puts the switch off. A trial that goes on has nothing to wait for. */
function waitsForPeriodEnd(
  world: World,
  { scheduleAtPeriodEnd: { conditions } }: Switching,
  { items, status }: SubscriptionRecord,
  wanted: Switch,
): boolean {
  if (status === 'trialing') return false
  return wanted.items.some(({ itemId, priceId, quantity }) => {
    const item = items.find(({ id }) => id === itemId)
    if (!item) throw invalid(`No such subscription item: '${itemId}'`, { code: 'resource_missing' })
    const [before, after] = [world.of('price').get(item.priceId), world.of('price').get(priceId)]
    const isLess = after.unitAmount * quantity < before.unitAmount * item.quantity
    return (
      (conditions.includes('decreasing_item_amount') && isLess) ||
      (conditions.includes('shortening_interval') && lengthOf(after) < lengthOf(before))
    )
  })
}

const daysOf = { day: 1, week: 7, month: 30, year: 365 }

function lengthOf({ recurring }: PriceRecord) {
  return recurring ? daysOf[recurring.interval] * recurring.intervalCount : 0
}
