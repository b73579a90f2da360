import { expect } from 'vitest'
import type { TestInbox } from '../mail/inbox.ts'
import type { TestMember } from '../membership.ts'
import { type PaymentSite, testPrices } from '../sites/payment-site.ts'
import { type PaymentActions, testCards } from './payment-actions.ts'

type Deps = { payments: PaymentSite; actions: PaymentActions; inbox: TestInbox }

/** Creates the actions on members with payments to refund, which read the refunds. */
export function createRefundActions({ payments, actions, inbox }: Deps) {
  const { site, stripe, controls } = payments

  return {
    disableWebhooks: actions.disableWebhooks,
    /** Returns the subjects of the emails about refunds, oldest first. */
    async subjectsTo({ email }: TestMember): Promise<string[]> {
      await actions.waitForEmails()
      const subjects = (await inbox.mailsTo(email)).map(({ subject }) => subject).reverse()
      return subjects.filter((subject) => subject.includes('refund'))
    },
    /** Returns the refunded amount of each of a customer's payments, oldest first. */
    async refundedOf(customer: string): Promise<number[]> {
      const { data } = await stripe.charges.list({ customer, limit: 100 })
      return data
        .filter(({ status }) => status === 'succeeded')
        .map(({ amount_refunded: refunded }) => refunded)
        .reverse()
    },
    async rowsOf(customerId: string) {
      const rows = await site.context.refunds.report()
      return rows.filter((row) => row.customerId === customerId)
    },
    async payTwice(member: TestMember): Promise<string> {
      const pages = [
        await payments.openCheckout(member, testPrices.monthly),
        await payments.openSecondCheckout(member, testPrices.monthly),
      ]
      await payments.settle()
      for (const page of pages) {
        await controls.completeCheckout(page)
        site.clock.pass(1_000)
      }
      return await actions.customerOf(member)
    },
    /** Subscribes, lets the renewal fail until Stripe cancels, and returns the open invoice. */
    async lapse(member: TestMember): Promise<{ customer: string; invoice: string }> {
      await payments.subscribe(member, testPrices.monthly)
      const customer = await actions.customerOf(member)
      await actions.changeCard(member, testCards.failsLater)
      await payments.settle()
      await actions.disableWebhooks()
      await actions.pass(50)
      const { status, latest_invoice: invoice } = await actions.subscriptionOf(member)
      expect(status).toBe('canceled')
      return { customer, invoice: String(invoice) }
    },
    async pay(customer: string, invoice: string): Promise<void> {
      const card = await stripe.paymentMethods.attach(testCards.good, { customer })
      await stripe.invoices.pay(invoice, { payment_method: card.id })
    },
    /** Syncs twice concurrently, then again. */
    async sync(customer: string): Promise<void> {
      const { subscriptionSync } = site.context
      await Promise.all([subscriptionSync.sync(customer), subscriptionSync.sync(customer)])
      await subscriptionSync.sync(customer)
    },
  }
}
