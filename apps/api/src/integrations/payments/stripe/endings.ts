import type Stripe from 'stripe'
import { CustomerDeletedError, type OwnSales, type PaymentGateway } from '../payment-gateway.ts'
import { expireSession } from './checkout-sessions.ts'
import { mostListed, pageSize } from './connection.ts'
import { aboutCustomer } from './customers.ts'
import { isMissing, isRefusal } from './failures.ts'
import { isGivingRefused, isPaidSince, refundInvoice } from './refunds.ts'
import { disputedComment, isOwn, isShared } from './subscription-mapper.ts'

/** How subscriptions end, and whatever could become one. */
export function endingsAt(stripe: Stripe): Pick<PaymentGateway, 'cancelSubscription' | 'endEverything'> {
  async function cancel(subscriptionId: string, details?: Stripe.SubscriptionCancelParams): Promise<void> {
    try {
      await stripe.subscriptions.cancel(subscriptionId, details)
    } catch (error) {
      // Stripe finds one that has ended no more.
      if (!isMissing(error)) throw error
    }
  }

  /** Of what has ended, Stripe leaves open invoices open: whoever paid one would have nothing for it. */
  async function voidOwed(subscription: string): Promise<void> {
    const invoices = await stripe.invoices
      .list({ subscription, status: 'open', limit: pageSize })
      .autoPagingToArray({ limit: mostListed })
    for (const { id } of invoices) await voidInvoice(id)
  }

  async function voidInvoice(id: string): Promise<void> {
    try {
      await stripe.invoices.voidInvoice(id)
    } catch (error) {
      // Paid, or void, by now.
      if (!isRefusal(error)) throw error
    }
  }

  /** Answers the subscriptions that could not be given back. */
  async function endAll(customerId: string, own: OwnSales, givenBackFrom: Date): Promise<string[]> {
    const sessions = await stripe.checkout.sessions
      .list({ customer: customerId, status: 'open', limit: pageSize })
      .autoPagingToArray({ limit: mostListed })
    // One that is paid in this very moment is among the subscriptions then.
    for (const { id, metadata } of sessions) {
      if (own.appIds.has(metadata?.app ?? '')) await expireSession(stripe, id)
    }
    const subscriptions = await stripe.subscriptions
      .list({ customer: customerId, status: 'all', limit: pageSize, expand: ['data.latest_invoice'] })
      .autoPagingToArray({ limit: mostListed })
    const kept: string[] = []
    for (const subscription of subscriptions.filter((one) => isOwn(one, own))) {
      const { id, ended_at: endedAt, latest_invoice: invoice } = subscription
      if (isShared(subscription, own)) {
        if (endedAt === null) kept.push(id)
        continue
      }
      // Before its money comes back: nobody keeps for nothing what could not be ended.
      if (endedAt === null) await cancel(id)
      // Also of what an earlier try has ended already.
      if (isToGiveBack(invoice, givenBackFrom) && !(await isGivenBack(invoice.id))) kept.push(id)
      await voidOwed(id)
    }
    return kept
  }

  /** False when Stripe refuses to, which must not keep anybody from leaving. */
  async function isGivenBack(invoiceId: string): Promise<boolean> {
    try {
      await refundInvoice(stripe, invoiceId)
      return true
    } catch (error) {
      if (isGivingRefused(error)) return false
      throw error
    }
  }

  return {
    async cancelSubscription(subscriptionId, reason) {
      const details = reason && { cancellation_details: { comment: disputedComment } }
      await cancel(subscriptionId, details)
      await voidOwed(subscriptionId)
    },
    async endEverything(customerId, own, givenBackFrom) {
      try {
        return await aboutCustomer(stripe, customerId, () => endAll(customerId, own, givenBackFrom))
      } catch (error) {
        if (error instanceof CustomerDeletedError) return []
        throw error
      }
    },
  }
}

function isToGiveBack(
  invoice: Stripe.Subscription['latest_invoice'],
  from: Date,
): invoice is Stripe.Invoice & { id: string } {
  if (invoice === null || typeof invoice === 'string' || invoice.id === undefined) return false
  return isPaidSince(invoice, from)
}
