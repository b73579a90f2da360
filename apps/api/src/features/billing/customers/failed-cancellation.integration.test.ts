import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { paymentTest } from '#test/fixtures.ts'
import { testPrices } from '#test/sites/payment-site.ts'

type Kind = (typeof everyKind)[number]

const everyKind = [
  'server-error',
  'rate-limit',
  'reset',
  'timeout-before',
  'reset-after',
  'timeout-after',
] as const

type Step = { step: string; match: (open: string, subscription: string) => string; kinds: readonly Kind[] }

/** The calls to Stripe of a deletion, with failures to try. Every kind is tried at the cancellation. */
const steps: Step[] = [
  { step: 'listing open checkouts', match: () => 'GET /v1/checkout/sessions', kinds: ['server-error'] },
  { step: 'listing subscriptions', match: () => 'GET /v1/subscriptions', kinds: ['timeout-before'] },
  {
    step: 'expiring a checkout',
    match: (open) => `POST /v1/checkout/sessions/${open}/expire`,
    kinds: ['server-error', 'timeout-after'],
  },
  {
    step: 'canceling a subscription',
    match: (_open, subscription) => `DELETE /v1/subscriptions/${subscription}`,
    kinds: everyKind,
  },
]

const it = paymentTest({ stripeTimeoutMs: 1_200 })
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
    'keeps the account when $step fails, and succeeds when repeated',
    async ({ match: matchOf, kinds }, { subscribe, payments, members, stripe, db }) => {
      const results = await Promise.all(
        kinds.map(async (kind) => {
          const { headers, memberId, customer, open, subscription } = await subscribe()
          const deleteAccount = () => members.call('DELETE', '/member', { headers })
          const exists = async () => (await db.member.count({ where: { id: memberId } })) === 1
          const statuses = async () =>
            (await stripe.subscriptions.list({ customer, status: 'all' })).data.map(({ status }) => status)
          const match = matchOf(open, subscription)
          // Only lists name the customer.
          const about = match.startsWith('GET') ? customer : ''
          // The SDK makes three attempts, but doesn't repeat a rate-limited call.
          await payments.controls.addFault({ kind, match, about, times: kind === 'rate-limit' ? 1 : 3 })
          const { status, code } = refusalOf(await deleteAccount())
          const isKept = await exists()
          const isCanceled = (await statuses()).includes('canceled')
          const again = (await deleteAccount()).statusCode
          const session = await stripe.checkout.sessions.retrieve(open)
          const left = [...(await statuses()), session.status, await exists()]
          return { kind, status, code, isKept, isCanceled, again, left }
        }),
      )
      expect(results).toEqual(
        kinds.map((kind) => ({
          kind,
          status: 503,
          code: 'payments-unavailable',
          isKept: true,
          again: 200,
          // A cancellation whose response was lost has succeeded.
          isCanceled: kind.endsWith('after') && matchOf('', '').startsWith('DELETE'),
          left: ['canceled', 'expired', false],
        })),
      )
    },
  )
})
