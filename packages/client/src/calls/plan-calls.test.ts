import { HttpResponse } from 'msw/http'
import { describe, expect, it, vi } from 'vitest'
import type { MembershipClient, Reply } from '../index.ts'
import { describeCalls } from '../testing/describe-calls.ts'
import { type MockResponse, refused, respondWith } from '../testing/fake-api.ts'
import { loggedInClient } from '../testing/test-client.ts'
import { wireMember, wirePlanChange } from '../testing/wire-samples.ts'
import { createPlanCalls } from './plan-calls.ts'

const pageUrl = 'https://reader.example/account?from=mail'
const destination = { url: 'https://pay.example/session-1' }
const started: MockResponse = () => HttpResponse.json({ data: destination })

/** Records the addresses that the page would open. */
function recordNavigation() {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
  return () => assign.mock.calls.map(([url]) => url)
}

describeCalls(
  createPlanCalls,
  {
    addPlan: {
      act: (client) => client.addPlan({ planId: 'pln_free' }),
      line: 'POST /member/plans/add',
      body: { planId: 'pln_free' },
      data: { member: wireMember() },
    },
    removePlan: {
      act: (client) => client.removePlan({ planId: 'pln_free' }),
      line: 'POST /member/plans/remove',
      body: { planId: 'pln_free' },
      data: { member: wireMember() },
    },
    changePlan: {
      act: (client) => client.changePlan({ priceId: 'prc_yearly' }),
      line: 'POST /member/plans/change',
      body: { priceId: 'prc_yearly' },
      data: { member: wireMember(), change: wirePlanChange },
      message: 'Yearly has start.',
    },
    previewPlanChange: {
      act: (client) => client.previewPlanChange({ priceId: 'prc_yearly' }),
      line: 'POST /member/plans/change/preview',
      body: { priceId: 'prc_yearly' },
      data: wirePlanChange,
      message: 'Yearly begins at once.',
    },
  },
  ['purchasePlansWithCheckout', 'launchStripeCustomerPortal'],
)

describe('changePlan on the terms of a preview', () => {
  it('sends the terms, and returns the new ones when they have changed', async () => {
    const client = await loggedInClient()
    const terms = { ...wirePlanChange, amountDue: 90 }
    const error = { code: 'price-changed', message: 'The price has changed.', terms }
    const calls = respondWith(() => HttpResponse.json({ error }, { status: 409 }))
    const change = client.changePlan({ priceId: 'prc_yearly', terms: wirePlanChange })
    await expect(change).rejects.toMatchObject({ code: 'price-changed', status: 409, terms })
    const { amountDue, currency, proratedAt, renewalAmount } = wirePlanChange
    expect(calls.map(({ body }) => body)).toEqual([
      { priceId: 'prc_yearly', amountDue, currency, proratedAt, renewalAmount },
    ])
  })
})

describe('purchasePlansWithCheckout', () => {
  it('starts the checkout and opens it', async () => {
    const client = await loggedInClient()
    const left = recordNavigation()
    const calls = respondWith(started)
    const response = await client.purchasePlansWithCheckout({
      priceId: 'prc_monthly',
      couponId: 'spring',
      successUrl: '/#/account/dashboard',
      cancelUrl: 'https://other.example/plans',
    })
    expect(calls.map(({ line, body }) => [line, body])).toEqual([
      [
        'POST /member/plans/create-checkout-session',
        {
          priceId: 'prc_monthly',
          couponId: 'spring',
          success_url: 'https://reader.example/#/account/dashboard',
          cancel_url: 'https://other.example/plans',
          origin_url: pageUrl,
        },
      ],
    ])
    expect(response).toEqual({ data: destination })
    expect(left()).toEqual([destination.url])
  })

  it('sends the price that the page shows', async () => {
    const client = await loggedInClient()
    recordNavigation()
    const calls = respondWith(started)
    const shownPrice = { amount: 4.99, currency: 'usd' }
    await client.purchasePlansWithCheckout({ priceId: 'prc_monthly', shownPrice })
    expect(calls[0]?.body).toMatchObject({ shownAmount: 4.99, shownCurrency: 'usd' })
  })

  it('returns to the page by default', async () => {
    const client = await loggedInClient()
    recordNavigation()
    const calls = respondWith(started)
    await client.purchasePlansWithCheckout({ priceId: 'prc_monthly' })
    expect(calls[0]?.body).toEqual({ priceId: 'prc_monthly', cancel_url: pageUrl, origin_url: pageUrl })
  })
})

describe('launchStripeCustomerPortal', () => {
  it('opens the portal', async () => {
    const client = await loggedInClient()
    const left = recordNavigation()
    const calls = respondWith(started)
    const response = await client.launchStripeCustomerPortal({
      priceIds: ['prc_monthly'],
      configuration: { features: {} },
      returnUrl: '/account',
    })
    expect(calls.map(({ line, body }) => [line, body])).toEqual([
      [
        'POST /member/create-billing-portal-session',
        {
          priceIds: ['prc_monthly'],
          configuration: { features: {} },
          return_url: 'https://reader.example/account',
          origin_url: pageUrl,
        },
      ],
    ])
    expect(response).toEqual({ data: destination })
    expect(left()).toEqual([destination.url])
  })

  it('needs no arguments', async () => {
    const client = await loggedInClient()
    recordNavigation()
    const calls = respondWith(started)
    await client.launchStripeCustomerPortal()
    expect(calls[0]?.body).toEqual({ origin_url: pageUrl })
  })
})

describe.each<[string, (client: MembershipClient, autoRedirect: boolean) => Promise<Reply<unknown>>]>([
  [
    'purchasePlansWithCheckout',
    (client, autoRedirect) => client.purchasePlansWithCheckout({ priceId: 'prc_monthly', autoRedirect }),
  ],
  [
    'launchStripeCustomerPortal',
    (client, autoRedirect) => client.launchStripeCustomerPortal({ autoRedirect }),
  ],
])('%s', (_, act) => {
  it('stays on the page without autoRedirect', async () => {
    const client = await loggedInClient()
    const left = recordNavigation()
    respondWith(started)
    expect(await act(client, false)).toEqual({ data: destination })
    expect(left()).toEqual([])
  })

  it('stays on the page after an error', async () => {
    const client = await loggedInClient()
    const left = recordNavigation()
    respondWith(refused(400, 'price-no-longer-available', 'That price is gone.'))
    await expect(act(client, true)).rejects.toMatchObject({ code: 'price-no-longer-available', status: 400 })
    expect(left()).toEqual([])
  })
})
