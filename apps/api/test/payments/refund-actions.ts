import { expect } from 'vitest'
import { paymentMailTest } from '../fixtures.ts'
import type { ReceivedMail } from '../mail/inbox.ts'
import type { TestMember } from '../membership.ts'
import { type PaymentSite, type PaymentSiteOptions, testPrices } from '../sites/payment-site.ts'
import { type PaymentActions, testCards } from './payment-actions.ts'

type Deps = {
  payments: PaymentSite
  actions: PaymentActions
  emailsTo(member: TestMember): Promise<ReceivedMail[]>
}

/** Returns the `it` of a file about members with payments to refund. */
export function refundTest(options: PaymentSiteOptions = {}) {
  return paymentMailTest(options)
    .extend('ann', ({ members }) => members.signUp())
    .extend('refunds', { scope: 'file' }, ({ payments, actions, emailsTo }) =>
      createRefundActions({ payments, actions, emailsTo }),
    )
}

function createRefundActions({ payments, actions, emailsTo }: Deps) {
  const { site, stripe } = payments

  return {
    /** Returns the subjects of the emails about refunds, oldest first. */
    async subjectsTo(member: TestMember): Promise<string[]> {
      const subjects = (await emailsTo(member)).map(({ subject }) => subject)
      return subjects.filter((subject) => subject.includes('refund'))
    },
    async rowsOf(customerId: string) {
      const rows = await site.context.refunds.report()
      return rows.filter((row) => row.customerId === customerId)
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
