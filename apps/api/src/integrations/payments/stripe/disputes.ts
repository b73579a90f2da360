import type Stripe from 'stripe'
import type { DisputedPayments, PaymentGateway } from '../payment-gateway.ts'
import { idOf, instantOf, pageSize } from './connection.ts'
import { inRoleWords } from './failures.ts'

/** A payment for a subscription, and what became of it at the bank: the disputes that are open, or were lost. */
export type DisputedPayment = {
  paymentIntentId: string
  subscriptionId: string
  disputes: readonly Stripe.Dispute[]
}

/** What is said at the bank of payments. */
export function disputesAt(stripe: Stripe): Pick<PaymentGateway, 'findDisputed' | 'listDisputed'> {
  return {
    async findDisputed(customerId) {
      const found: DisputedPayments = { open: null, lost: null }
      for await (const { subscriptionId, disputes } of listDisputedPayments(stripe, customerId)) {
        const began = instantOf((await stripe.subscriptions.retrieve(subscriptionId)).created)
        if (disputes.some(isOpen)) found.open = laterOf(found.open, began)
        if (disputes.some(isLost)) found.lost = laterOf(found.lost, began)
      }
      return found
    },
    async *listDisputed() {
      let after: string | undefined
      do {
        const params = {
          limit: pageSize,
          expand: ['data.charge'],
          ...(after === undefined ? {} : { starting_after: after }),
        }
        const { data, has_more: hasMore } = await inRoleWords(() => stripe.disputes.list(params))
        yield data.filter(isOpenOrLost).flatMap(({ charge }) => customerOf(charge) ?? [])
        after = hasMore ? data.at(-1)?.id : undefined
      } while (after !== undefined)
    },
  }
}

/** A customer's payments for subscriptions that are disputed, or were lost. */
export async function* listDisputedPayments(
  stripe: Stripe,
  customerId: string,
): AsyncGenerator<DisputedPayment> {
  for await (const charge of stripe.charges.list({ customer: customerId, limit: pageSize })) {
    if (!charge.disputed || charge.payment_intent === null) continue
    const { data } = await stripe.disputes.list({ charge: charge.id, limit: pageSize })
    const disputes = data.filter(isOpenOrLost)
    if (disputes.length === 0) continue
    const paymentIntentId = idOf(charge.payment_intent)
    const subscriptionId = await subscriptionPaidBy(stripe, paymentIntentId)
    if (subscriptionId !== null) yield { paymentIntentId, subscriptionId, disputes }
  }
}

/** Null when a payment was for no subscription. */
async function subscriptionPaidBy(stripe: Stripe, paymentIntentId: string): Promise<string | null> {
  const { data } = await stripe.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: paymentIntentId },
    expand: ['data.invoice'],
  })
  const invoice = data[0]?.invoice
  const parent = typeof invoice === 'object' && 'parent' in invoice ? invoice.parent : null
  const subscription = parent?.subscription_details?.subscription
  return subscription ? idOf(subscription) : null
}

function customerOf(charge: Stripe.Dispute['charge']): string | null {
  return typeof charge === 'string' || charge.customer === null ? null : idOf(charge.customer)
}

function isOpenOrLost(dispute: Stripe.Dispute): boolean {
  return isOpen(dispute) || isLost(dispute)
}

/** A mere question of the bank's takes nothing away. */
function isOpen({ status }: Stripe.Dispute): boolean {
  return status === 'needs_response' || status === 'under_review'
}

function isLost({ status }: Stripe.Dispute): boolean {
  return status === 'lost'
}

function laterOf(one: Date | null, other: Date): Date {
  return one === null || other > one ? other : one
}
