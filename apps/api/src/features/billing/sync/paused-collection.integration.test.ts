import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { paymentMailTest } from '#test/fixtures.ts'
import { paidPlansOf } from '#test/payments/payment-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const daySeconds = 24 * 3_600
const body = { priceId: testPrices.monthly }
const it = paymentMailTest()

it.afterEach(({ actions }) => actions.cancelAll())

describe('payments that the merchant has paused', () => {
  it.for<[until: string, days: number | null, isCharged: boolean]>([
    ['they are resumed', null, false],
    ['after the next renewal', 400, false],
    ['a day before the next renewal', 364, true],
  ])(
    'are announced only if they come, while paused until %s',
    async ([, days, isCharged], { payments, members, actions, site, stripe, emailsTo }) => {
      const ann = await actions.subscriber(testPrices.yearly)
      const { id } = await actions.subscriptionOf(ann)
      const resumesAt = days === null ? {} : { resumes_at: secondsNow() + days * daySeconds }
      await stripe.subscriptions.update(id, {
        pause_collection: { behavior: 'keep_as_draft', ...resumesAt },
        cancel_at_period_end: true,
      })
      await payments.settle()
      // Emails in the outbox at the same time may overtake each other.
      await actions.waitForEmails()
      await stripe.subscriptions.update(id, { cancel_at_period_end: false })
      await actions.pass(340)
      await actions.waitForEmails()
      await site.context.renewalNotices.send()

      const member = await actions.memberNow(ann)
      const [payment] = paidPlansOf(member).map((plan) => plan.payment)
      const headers = members.headersOf(await members.logIn({ email: ann.email }))
      const preview = await members.call('POST', '/member/plans/change/preview', { headers, body })
      const [, , resumed, ...notices] = await emailsTo(ann)
      expect({
        permissions: member.permissions,
        isDated: payment?.nextBillingDate !== null,
        amount: payment?.renewal?.amounts[0]?.amount,
        refusal: preview.statusCode === 200 ? null : refusalOf(preview).code,
        resumed: [resumed?.subject, /Next payment/.test(resumed?.text ?? '')],
        notices: notices.length,
      }).toEqual({
        permissions: ['paid'],
        isDated: isCharged,
        amount: isCharged ? 49.99 : undefined,
        refusal: isCharged ? null : 'payments-paused',
        resumed: ['Your Tidings plan continues', isCharged],
        notices: isCharged ? 1 : 0,
      })
      await actions.pass(26)
      expect(await paidInvoices()).toBe(isCharged ? 2 : 1)

      await stripe.subscriptions.update(id, { pause_collection: '' })
      await payments.settle()
      expect(paidPlansOf(await actions.memberNow(ann))).toMatchObject([
        { payment: { nextBillingDate: expect.any(String), renewal: { amounts: [{ amount: 49.99 }] } } },
      ])

      function secondsNow() {
        return Math.floor(site.clock.now().getTime() / 1000)
      }

      async function paidInvoices() {
        const { data } = await stripe.invoices.list({ subscription: id, status: 'paid' })
        return data.length
      }
    },
  )
})
