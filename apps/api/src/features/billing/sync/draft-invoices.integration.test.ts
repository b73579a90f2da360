import { describe, expect, onTestFinished } from 'vitest'
import type { TestMember } from '#test/membership.ts'
import { refundTest } from '#test/payments/refund-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'

type Renewal = { ann: TestMember; subscriptionId: string; customer: string }

const minutes = 1 / (24 * 60)
const refundSubject = 'We refunded your payment to Tidings'

const it = refundTest()
  /** A subscriber whose renewal began a few minutes ago, and its draft. */
  .extend('renewal', async ({ payments, actions, stripe, ann }) => {
    await payments.subscribe(ann, testPrices.monthly)
    await actions.passToDraft(ann)
    const { id, customer, latest_invoice: invoice } = await actions.subscriptionOf(ann)
    const draft = await stripe.invoices.retrieve(String(invoice))
    expect(draft.status).toBe('draft')
    return { ann, subscriptionId: id, customer: String(customer) }
  })
  .extend('endings', { scope: 'file' }, ({ actions, payments, members }) => ({
    'it is canceled at Stripe': ({ ann }: Renewal) => actions.cancelAtStripe(ann),
    'a payment is disputed': async ({ ann }: Renewal) => {
      await payments.controls.openDispute(await actions.chargeOf(ann))
      await actions.waitForStatus(ann, 'CANCELED')
    },
    'the account is deleted': async ({ ann }: Renewal) => {
      const headers = members.headersOf(await members.logIn({ email: ann.email }))
      expect((await members.call('DELETE', '/member', { headers })).statusCode).toBe(200)
    },
  }))
  .extend('outcomeOf', { scope: 'file' }, ({ actions, stripe }) => async (customer: string) => {
    const { data } = await stripe.invoices.list({ customer })
    const invoices = data.map(({ status }) => status)
    return { invoices, refunded: await actions.refundedOf(customer) }
  })
  .extend('cancelWithoutEvent', { scope: 'file' }, ({ actions }) => async (member: TestMember) => {
    await actions.disableWebhooks()
    await actions.cancelAtStripe(member)
  })

it.afterEach(({ actions }) => actions.cancelAll())

const uncharged = { invoices: ['void', 'paid'], refunded: [0] }
const refunded = { invoices: ['paid', 'paid'], refunded: [0, 499] }

describe('a subscription that ends in the first hour of its period', () => {
  it.for(['it is canceled at Stripe', 'a payment is disputed', 'the account is deleted'] as const)(
    'is not charged when %s',
    async (how, { actions, payments, renewal, endings, outcomeOf }) => {
      await endings[how](renewal)
      await payments.settle()
      await actions.passDays(1)
      expect(await outcomeOf(renewal.customer)).toEqual(uncharged)
    },
  )

  it('is not charged when it is the second one of its member', async ({
    actions,
    payments,
    site,
    stripe,
    renewal,
    outcomeOf,
  }) => {
    await payments.controls.setWebhooks({ mode: 'off' })
    const { items, default_payment_method: own } = await actions.subscriptionOf(renewal.ann)
    expect(own).toBeNull()
    // An older one in good standing stays.
    const [first] = items.data
    const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer: renewal.customer })
    await stripe.subscriptions.create({
      customer: renewal.customer,
      items: [{ price: first?.price.id ?? '' }],
      default_payment_method: card,
      trial_period_days: 1,
    })
    await actions.passDays(1 + 5 * minutes)
    await payments.controls.setWebhooks({ mode: 'on' })
    await site.context.subscriptionSync.sync(renewal.customer)
    await payments.settle()
    await actions.passDays(1)
    expect(await outcomeOf(renewal.customer)).toEqual({
      invoices: ['void', 'paid', 'paid', 'paid'],
      refunded: [0, 0],
    })
  })
})

describe('the reconcile', () => {
  it('closes the draft of a subscription that ended without an event', async ({
    actions,
    site,
    renewal,
    outcomeOf,
    cancelWithoutEvent,
  }) => {
    await cancelWithoutEvent(renewal.ann)
    await site.context.reconciliation.reconcile()
    await actions.passDays(1)
    expect(await outcomeOf(renewal.customer)).toEqual(uncharged)
  })

  it.for(['without an event', 'and was settled by an earlier version'])(
    'refunds the draft of a subscription that ended %s',
    async (how, { actions, site, db, refunds, renewal, outcomeOf, cancelWithoutEvent }) => {
      await cancelWithoutEvent(renewal.ann)
      const isSettled = how !== 'without an event'
      if (isSettled)
        await db.paymentCustomer.update({
          where: { id: renewal.customer },
          data: { settledSubscriptionIds: [renewal.subscriptionId] },
        })
      await actions.passDays(20)
      expect(await outcomeOf(renewal.customer)).toEqual({ ...refunded, refunded: [0, 0] })
      await site.context.reconciliation.reconcile()
      await site.context.reconciliation.reconcile()
      expect(await outcomeOf(renewal.customer)).toEqual(refunded)
      expect(await refunds.subjectsTo(renewal.ann)).toEqual([refundSubject])
    },
  )

  it('does not look at a settled subscription after 30 days', async ({
    actions,
    payments,
    site,
    renewal,
  }) => {
    await actions.cancelAtStripe(renewal.ann)
    await payments.settle()
    await actions.passDays(31)
    await payments.controls.addFault({
      kind: 'forbidden',
      match: 'GET /v1/invoices',
      about: renewal.subscriptionId,
    })
    onTestFinished(() => payments.controls.clearFaults())
    await site.context.reconciliation.reconcile()
    expect(await payments.controls.countFaults()).toBe(1)
  })
})
