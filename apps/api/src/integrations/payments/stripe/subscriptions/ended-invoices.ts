import type Stripe from 'stripe'
import { callOnce, listAll, pageSize } from '../client/client.ts'
import { isForbidden, isInProgress, isRefusal } from '../client/errors.ts'

/** The invoices of an ended subscription; settled if all of them are paid or void. */
type Closed = { invoices: Stripe.Invoice[]; isSettled: boolean }

/** Closes invoices of ended subscriptions, which Stripe would still charge or let be paid (ADR 0066). */
export function stripeEndedInvoices(stripe: Stripe) {
  /** Makes a call about an invoice. Stripe's refusal means that the invoice has changed, so it is read again. */
  async function orCurrent(id: string, call: Promise<Stripe.Invoice>): Promise<Stripe.Invoice> {
    try {
      return await call
    } catch (error) {
      if (!isRefusal(error)) throw error
      return await stripe.invoices.retrieve(id)
    }
  }

  /** Voids an unpaid invoice. Returns it as it is then: it may have been paid, or a payment may be processing. */
  async function close({ id, status }: Stripe.Invoice): Promise<Stripe.Invoice> {
    if (status === 'draft') {
      // First, so that a draft that can't be finalized is never charged. Stripe voids and deletes no draft.
      await orCurrent(id, stripe.invoices.update(id, { auto_advance: false }))
      const finalized = await orCurrent(id, stripe.invoices.finalizeInvoice(id, { auto_advance: false }))
      if (finalized.status !== 'open') return finalized
    }
    return await orCurrent(id, stripe.invoices.voidInvoice(id))
  }

  return {
    /** Closes a subscription's drafts, open and uncollectible invoices, and returns all of its invoices. Idempotent. */
    async closeUnpaid(subscription: string): Promise<Closed> {
      const listed = await listAll(stripe.invoices.list({ subscription, limit: pageSize }))
      const invoices: Stripe.Invoice[] = []
      for (const invoice of listed) invoices.push(isOver(invoice) ? invoice : await close(invoice))
      return { invoices, isSettled: invoices.every(isOver) }
    },
    /** Returns the credit that paid an invoice to its customer, once. Returns false if that must be tried again. */
    async returnCredit(invoice: Stripe.Invoice): Promise<boolean> {
      const { id, starting_balance: before, ending_balance: after } = invoice
      const amount = (after ?? before) - before
      if (amount <= 0 || invoice.post_payment_credit_notes_amount > 0) return true
      const note = { invoice: id, amount, credit_amount: amount, email_type: 'none' as const }
      try {
        await callOnce(`return-credit-${id}`, (options) => stripe.creditNotes.create(note, options))
        return true
      } catch (error) {
        if (!isRefusal(error) && !isForbidden(error) && !isInProgress(error)) throw error
        return false
      }
    },
  }
}

function isOver({ status }: Stripe.Invoice): boolean {
  return status === 'paid' || status === 'void'
}
