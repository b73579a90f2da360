import { describe, expect, vi } from 'vitest'
import { paymentTest } from '#test/fixtures.ts'
import { createDeletionActions } from '#test/payments/deletion-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'
import { waitOptions } from '#test/wait-options.ts'

type Kind = (typeof everyKind)[number]

const everyKind = [
  'server-error',
  'rate-limit',
  'reset',
  'timeout-before',
  'reset-after',
  'timeout-after',
] as const

type Account = { customer: string; open: string; subscription: string }
type Step = { step: string; match: (account: Account) => string; kinds: readonly Kind[] }

/** The calls to Stripe of a deletion, with failures to try. Every kind is tried at the cancellation. */
const steps: Step[] = [
  { step: 'listing open checkouts', match: () => 'GET /v1/checkout/sessions', kinds: ['server-error'] },
  { step: 'listing subscriptions', match: () => 'GET /v1/subscriptions', kinds: ['timeout-before'] },
  {
    step: 'expiring a checkout',
    match: ({ open }) => `POST /v1/checkout/sessions/${open}/expire`,
    kinds: ['server-error', 'timeout-after'],
  },
  {
    step: 'canceling a subscription',
    match: ({ subscription }) => `DELETE /v1/subscriptions/${subscription}`,
    kinds: everyKind,
  },
  { step: 'reading the customer', match: () => 'GET /v1/customers', kinds: ['server-error'] },
  {
    step: 'deleting the customer',
    match: ({ customer }) => `DELETE /v1/customers/${customer}`,
    kinds: everyKind,
  },
]

const it = paymentTest({ stripeTimeoutMs: 1_200 })
  .extend('accounts', { scope: 'file' }, createDeletionActions)
  /** Returns a subscriber with another open checkout. */
  .extend('subscribe', { scope: 'file' }, ({ payments, actions, members, stripe }) => async () => {
    const member = await members.signUp()
    await payments.controls.completeCheckout(await payments.openCheckout(member, testPrices.monthly))
    const customer = await actions.customerOf(member)
    const { id: subscription, items } = await actions.subscriptionOf(member)
    const { id: open } = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      success_url: 'https://example.com/',
      line_items: [{ price: items.data[0]?.price.id ?? '', quantity: 1 }],
      metadata: { app: payments.site.context.config.site.appId },
    })
    return { ...member, customer, open, subscription }
  })

// Without webhooks, the site calls Stripe only for members' requests.
it.beforeAll(async ({ payments }) => {
  await payments.controls.setWebhooks({ mode: 'off' })
})

describe('DELETE /member', () => {
  it.concurrent.for(steps)(
    'replies at once when $step fails, and repeats it until the account is closed',
    async ({ match: matchOf, kinds }, { subscribe, accounts, payments, stripe, site }) => {
      const results = await Promise.all(
        kinds.map(async (kind) => {
          const member = await subscribe()
          const { customer, open, subscription } = member
          const match = matchOf(member)
          // Only lists name the customer.
          const about = match.startsWith('GET') ? customer : ''
          // The SDK makes three attempts, but doesn't repeat a rate-limited call.
          await payments.controls.addFault({ kind, match, about, times: kind === 'rate-limit' ? 1 : 3 })
          const { statusCode } = await accounts.delete(member)
          // A request that was under way can't open a checkout anymore.
          site.clock.pass(6 * 60_000)
          await vi.waitFor(async () => {
            await site.context.accountDeletion.close(member.memberId)
            expect(await accounts.deletionOf(member)).toBeNull()
          }, waitOptions)
          const session = await stripe.checkout.sessions.retrieve(open)
          const left = await accounts.customerAtStripe(customer)
          const { status } = await stripe.subscriptions.retrieve(subscription)
          return { kind, statusCode, left: [status, session.status, left.deleted] }
        }),
      )
      expect(results).toEqual(
        kinds.map((kind) => ({ kind, statusCode: 200, left: ['canceled', 'expired', true] })),
      )
    },
  )
})
