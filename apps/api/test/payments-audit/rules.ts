import { amountsThatDiffer } from './amount-rules.ts'
import type { ChargeFact, Facts, Finding, ShownPlan, SubscriptionFact } from './facts.ts'

/** A broken rule of one member. */
export type Violation = Finding & { rule: keyof typeof rules }

const running = new Set(['trialing', 'active', 'past_due', 'unpaid', 'paused'])

/** The rules that always hold once the reconciliation has run and every job is done. */
const rules = {
  'pays without a plan': paysWithoutPlan,
  'has a plan without paying': hasPlanWithoutPaying,
  'two subscriptions': twoSubscriptions,
  'charged after an end': chargedAfterEnd,
  'amount differs': amountsThatDiffer,
  'other sale touched': otherSaleTouched,
} satisfies Record<string, (facts: Facts) => Finding[]>

/** Returns the violations of a member. */
export function audit(facts: Facts): Violation[] {
  return typedEntries(rules).flatMap(([rule, check]) => check(facts).map((found) => ({ rule, ...found })))
}

function typedEntries<Key extends string, Value>(object: Record<Key, Value>): [Key, Value][] {
  const entries: [Key, Value][] = []
  for (const key in object) entries.push([key, object[key]])
  return entries
}

function paysWithoutPlan({ subscriptions, shown, deletedAt }: Facts): Finding[] {
  const own = subscriptions.filter(isOwnAndRunning)
  if (deletedAt !== null)
    return own.map(({ id, status }) => ({ subject: id, text: `${id} is ${status}, the account is deleted` }))
  return own.filter(isInGoodStanding).flatMap(({ id, status, planId }) =>
    shown
      .filter(({ plans }) => !plans.some((plan) => plan.isActive && plan.planId === planId))
      .map(({ process }) => ({
        subject: id,
        text: `${id} is ${status}, ${process} shows ${planId} closed`,
      })),
  )
}

function hasPlanWithoutPaying(facts: Facts): Finding[] {
  return facts.shown.flatMap(({ process, plans }) =>
    plans
      .filter(({ isActive }) => isActive)
      .flatMap((plan) => {
        const reason = reasonAgainst(plan, facts)
        if (reason === null) return []
        return [{ subject: plan.planId, text: `${process} shows ${plan.planId} open: ${reason}` }]
      }),
  )
}

/** Returns why a plan should be closed; null if it is rightly open. */
function reasonAgainst({ planId }: ShownPlan, facts: Facts): string | null {
  const { subscriptions, invoices, charges, now, graceSeconds } = facts
  const paying = subscriptions.filter(isOwnAndRunning).find((one) => one.planId === planId)
  if (paying === undefined) return 'no subscription runs'
  const { id, status } = paying
  if (charges.some((charge) => charge.subscriptionId === id && charge.isDisputed)) return `${id} is disputed`
  if (isInGoodStanding(paying)) return null
  if (status !== 'past_due') return `${id} is ${status}`
  const unpaid = invoices.filter((one) => one.subscriptionId === id && one.status === 'open')
  const since = Math.min(...unpaid.map(({ created }) => created))
  if (now < since + graceSeconds) return null
  return `${id} is past due since ${since}, ${Math.round((now - since) / 86_400)} days`
}

/** A second subscription may have been paid before the site noticed it; then its money is returned. */
function twoSubscriptions({ subscriptions, charges, invoices }: Facts): Finding[] {
  const own = subscriptions.filter(({ planId }) => planId !== null)
  const findings: Finding[] = []
  const [first, ...others] = own.filter(isOwnAndRunning)
  for (const { id } of others) findings.push({ subject: id, text: `${first?.id} and ${id} run both` })
  for (const [index, one] of own.entries()) {
    for (const other of own.slice(index + 1)) {
      const since = Math.max(one.created, other.created)
      if (since >= Math.min(one.endedAt ?? Infinity, other.endedAt ?? Infinity)) continue
      const kept = [one, other].map(({ id }) =>
        charges.find((charge) => {
          if (charge.subscriptionId !== id || !charge.isOwn || !isKept(charge)) return false
          const invoice = invoices.find((found) => found.id === charge.invoiceId)
          return invoice !== undefined && invoice.periodStart <= since && since < invoice.periodEnd
        }),
      )
      if (kept.every((charge) => charge !== undefined))
        findings.push({ subject: `${one.id} ${other.id}`, text: `${one.id} and ${other.id} were both paid` })
    }
  }
  return findings
}

function chargedAfterEnd({ subscriptions, invoices, charges, deletedAt }: Facts): Finding[] {
  // One that was moved to another product is the merchant's.
  const own = subscriptions.filter(({ planId }) => planId !== null)
  const endOf = new Map(own.map(({ id, endedAt }) => [id, endedAt]))
  const late = charges.filter(({ isOwn, at, subscriptionId, ...charge }) => {
    if (!isOwn || !isKept(charge) || !endOf.has(subscriptionId)) return false
    const endedAt = endOf.get(subscriptionId) ?? null
    return (endedAt !== null && at > endedAt) || (deletedAt !== null && at >= deletedAt)
  })
  const payable = invoices.filter(({ isOwn, status, isAdvancing, subscriptionId }) => {
    const isPayable = status === 'open' || status === 'uncollectible' || (status === 'draft' && isAdvancing)
    return isOwn && isPayable && (endOf.get(subscriptionId) ?? null) !== null
  })
  return [
    ...late.map(({ id, at, subscriptionId }) => ({
      subject: id,
      text: `${id} was charged at ${at} for ${subscriptionId}, which had ended, and is kept`,
    })),
    ...payable.map(({ id, status, subscriptionId }) => ({
      subject: id,
      text: `${id} is ${status}, although ${subscriptionId} has ended`,
    })),
  ]
}

/** Other things that the merchant sells to the same customer are left alone. */
function otherSaleTouched({ subscriptions, charges }: Facts): Finding[] {
  const ended = subscriptions.filter(
    ({ planId, endedAt, endsByItself }) => planId === null && endedAt !== null && !endsByItself,
  )
  const refunded = charges.filter(({ isOwn, refunds }) => !isOwn && refunds.some((one) => one.isAutomatic))
  return [
    ...ended.map(({ id }) => ({ subject: id, text: `${id} of another product was ended` })),
    ...refunded.map(({ id }) => ({ subject: id, text: `${id} of another product was refunded` })),
  ]
}

function isOwnAndRunning({ planId, status }: SubscriptionFact): boolean {
  return planId !== null && running.has(status)
}

function isInGoodStanding({ status }: SubscriptionFact): boolean {
  return status === 'active' || status === 'trialing'
}

/** Returns whether some of a charge's money was neither refunded nor disputed. */
function isKept({ amount, refunds, isDisputed }: Pick<ChargeFact, 'amount' | 'refunds' | 'isDisputed'>) {
  return !isDisputed && refunds.reduce((sum, refund) => sum + refund.amount, 0) < amount
}
