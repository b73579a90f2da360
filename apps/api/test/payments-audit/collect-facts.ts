import { currentMemberReply, type PlanConnection } from '@tidings/contracts/membership/members'
import type Stripe from 'stripe'
import { z } from 'zod'
import { idOf } from '#integrations/payments/stripe/client/client.ts'
import { minorUnits } from '#platform/money.ts'
import { type AuditedSite, coupons } from './audited-site.ts'
import type { ChargeFact, Facts, InvoiceFact, ShownPlan, SubscriptionFact } from './facts.ts'
import { openTabs, type Person } from './people.ts'

const renewalsReply = z.object({
  data: z
    .object({
      planConnections: z.array(
        z.object({
          id: z.string(),
          payment: z
            .object({
              renewal: z.object({ amounts: z.array(z.object({ amount: z.number() })) }).optional(),
            })
            .nullable(),
        }),
      ),
    })
    .nullable(),
})

/** Of disputes, these leave the money with the merchant. */
const harmless = /^(won|prevented|warning_.*)$/

/** Reads everything about a member: all from Stripe, what the site shows, and the emails since the last time. */
export async function collectFacts(at: AuditedSite, person: Person): Promise<Facts> {
  await readMails(at, person)
  const subscriptions: SubscriptionFact[] = []
  const invoices: InvoiceFact[] = []
  const charges: ChargeFact[] = []
  for (const customer of person.customerIds) {
    const page = { customer, limit: 100 }
    const found = await all(at.stripe.subscriptions.list({ ...page, status: 'all' }))
    subscriptions.push(...found.map((one) => toSubscription(at, one)))
    const expand = ['data.payments', 'data.discounts']
    const billed = await all(at.stripe.invoices.list({ ...page, expand }))
    invoices.push(...billed.map((one) => toInvoice(at, one)))
    for (const charge of await all(at.stripe.charges.list(page))) {
      const invoice = billed.find(({ payments }) =>
        payments?.data.some(({ payment }) => idOf(payment.payment_intent ?? '') === charge.payment_intent),
      )
      if (charge.status === 'succeeded' && invoice !== undefined)
        charges.push(await toCharge(at, charge, toInvoice(at, invoice)))
    }
  }
  return {
    now: Math.floor(at.clock.now().getTime() / 1_000),
    graceSeconds: at.graceSeconds,
    deletedAt: person.deletedAt,
    subscriptions,
    invoices,
    charges,
    shown: person.deletedAt === null ? await readShown(at, person) : [],
    mails: person.mails,
    agreements: person.agreements,
    announcements: person.announcements,
    prices: pricesWithCoupons(at.catalog.amounts),
  }
}

/** Reads the customers of all members at Stripe, which name the member. */
export async function readCustomers(at: AuditedSite, people: readonly Person[]): Promise<void> {
  const byId = new Map(people.map((person) => [person.memberId, person]))
  for (const { id, metadata } of await all(at.stripe.customers.list({ limit: 100 })))
    byId.get(metadata.member ?? '')?.customerIds.add(id)
}

async function readMails({ inbox }: AuditedSite, person: Person): Promise<void> {
  for (const address of person.addresses) {
    for (const { headers, subject, text } of await inbox.mailsTo(address)) {
      const at = Math.floor(Date.parse(headers.date ?? '') / 1_000)
      const isKnown = person.mails.some((mail) => mail.at === at && mail.text === text)
      if (!isKnown) person.mails.push({ at, subject, text })
    }
  }
}

async function readShown(at: AuditedSite, person: Person): Promise<Facts['shown']> {
  const tabs = await openTabs(at, person)
  return await Promise.all(
    tabs.map(async ({ name, call }) => {
      const body: unknown = (await call('GET', '/member')).json()
      const member = currentMemberReply.parse(body).data
      const renewals = new Map(
        renewalsReply.parse(body).data?.planConnections.map(({ id, payment }) => [id, payment?.renewal]),
      )
      const paid = (member?.planConnections ?? []).filter(({ type }) => type !== 'FREE')
      return { process: name, plans: paid.map((plan) => toShown(plan, renewals.get(plan.id)?.amounts[0])) }
    }),
  )
}

function toShown(
  { planId, active, payment }: PlanConnection,
  next: { amount: number } | undefined,
): ShownPlan {
  return {
    planId,
    isActive: active,
    amount: payment && minorUnits(payment.amount, payment.currency),
    currency: payment?.currency ?? null,
    nextBillingDate: secondsIn(payment?.nextBillingDate),
    cancelAtDate: secondsIn(payment?.cancelAtDate),
    renewalAmount: payment && next ? minorUnits(next.amount, payment.currency) : null,
  }
}

function toSubscription({ catalog }: AuditedSite, one: Stripe.Subscription): SubscriptionFact {
  const [item] = one.items.data
  if (item === undefined) throw new Error(`${one.id} has no item`)
  const { price, quantity = 1, current_period_end: periodEnd } = item
  return {
    id: one.id,
    planId: catalog.planByProduct.get(idOf(price.product)) ?? null,
    status: one.status,
    created: one.created,
    endedAt: one.ended_at,
    endsByItself:
      one.cancel_at !== null ||
      one.status === 'incomplete_expired' ||
      one.cancellation_details?.reason === 'payment_failed',
    cancelAt: one.cancel_at,
    periodEnd,
    amount: (price.unit_amount ?? 0) * quantity,
    currency: price.currency,
  }
}

function toInvoice({ catalog }: AuditedSite, one: Stripe.Invoice): InvoiceFact {
  const { id, status, created, billing_reason: reason, total, lines, discounts } = one
  const products = lines.data.map(({ pricing }) => pricing?.price_details?.product ?? '')
  const starts = discounts.map((discount) => (typeof discount === 'string' ? 0 : discount.start))
  return {
    id,
    subscriptionId: idOf(one.parent?.subscription_details?.subscription ?? ''),
    isOwn: products.some((product) => catalog.planByProduct.has(product)),
    status: status ?? '',
    reason: reason ?? '',
    created,
    periodStart: Math.min(...lines.data.map(({ period }) => period.start)),
    periodEnd: Math.max(...lines.data.map(({ period }) => period.end)),
    total,
    amountDue: one.amount_due,
    amountPaid: one.amount_paid,
    isAdvancing: one.auto_advance ?? false,
    discountedSince: starts.length === 0 ? null : Math.max(...starts),
  }
}

async function toCharge(
  { stripe }: AuditedSite,
  { id, created, amount, amount_refunded: refunded, disputed }: Stripe.Charge,
  { id: invoiceId, subscriptionId, isOwn }: InvoiceFact,
): Promise<ChargeFact> {
  const refunds = refunded === 0 ? [] : await all(stripe.refunds.list({ charge: id, limit: 100 }))
  const disputes = disputed ? await all(stripe.disputes.list({ charge: id, limit: 100 })) : []
  return {
    id,
    invoiceId,
    subscriptionId,
    isOwn,
    at: created,
    amount,
    refunds: refunds
      .filter(({ status }) => status !== 'failed')
      .map((refund) => ({ amount: refund.amount, isAutomatic: refund.metadata?.why !== undefined })),
    isDisputed: disputes.some(({ status }) => !harmless.test(status)),
  }
}

function pricesWithCoupons(amounts: readonly number[]): Set<number> {
  const percents = [0, ...Object.values(coupons).map(({ percent_off: percent }) => percent)]
  const prices = amounts.flatMap((amount) => percents.map((percent) => (amount * (100 - percent)) / 100))
  // Half a cent may be rounded either way.
  return new Set(prices.flatMap((price) => [Math.floor(price), Math.ceil(price)]))
}

function secondsIn(instant: string | null | undefined): number | null {
  return instant == null ? null : Math.floor(Date.parse(instant) / 1_000)
}

async function all<T>(list: Stripe.ApiListPromise<T>): Promise<T[]> {
  return await list.autoPagingToArray({ limit: 10_000 })
}
