import { openPage, submitForm } from '@tidings/emulators/stripe/testing/browse'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { addPlans } from '#test/factories/app-settings.ts'
import { paymentTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const path = '/member/create-billing-portal-session'

const it = paymentTest()
  .extend(
    'subscriber',
    { scope: 'file' },
    ({ payments, members }) =>
      async (priceId: string = testPrices.monthly): Promise<TestMember> => {
        const member = await members.signUp()
        await payments.subscribe(member, priceId)
        return member
      },
  )
  /** Returns the URL of a member's portal. */
  .extend(
    'openPortal',
    { scope: 'file' },
    ({ members }) =>
      async ({ headers }: TestMember, body: Record<string, unknown> = {}): Promise<string> => {
        return (await members.call('POST', path, { headers, body })).json().data.url
      },
  )
  /** Submits a form of the subscription's page in the portal. */
  .extend(
    'submitAction',
    { scope: 'file' },
    ({ payments, stripe, openPortal }) =>
      async (member: TestMember, action: string, fields: Record<string, string> = {}) => {
        const { stripeCustomerId: customer } = await payments.memberOf(member)
        const { data } = await stripe.subscriptions.list({ customer: customer ?? '' })
        const done = await submitForm(
          `${await openPortal(member)}/subscriptions/${data[0]?.id}/${action}`,
          fields,
        )
        await payments.settle()
        return done
      },
  )
it.beforeAll(async ({ site }) => {
  const grand = { id: 'prc_grand', amount: 99.99, currency: 'usd', interval: 'YEARLY' as const }
  await addPlans(site, [{ id: 'pln_grand', name: 'Grand', prices: [grand] }])
  await site.context.syncCatalog(() => {})
})

describe('POST /member/create-billing-portal-session', () => {
  it('requires a login', async ({ members }) => {
    expect(refusalOf(await members.call('POST', path, { body: {} }))).toMatchObject({
      status: 401,
      code: 'login-required',
    })
  })

  it('returns 404 before any payment', async ({ members }) => {
    const { headers } = await members.signUp()
    for (const request of [{ headers, body: {} }, { headers }]) {
      expect(refusalOf(await members.call('POST', path, request))).toEqual({
        status: 404,
        code: 'no-billing-account',
        message: "You don't have a paid plan to manage yet.",
      })
    }
  })

  it("shows the member's plan", async ({ subscriber, openPortal }) => {
    const { html, status } = await openPage(await openPortal(await subscriber()))
    expect(status).toBe(200)
    expect(html).toContain('Monthly')
    expect(html).toContain('$4.99')
  })

  it('returns a new page for each request', async ({ subscriber, openPortal }) => {
    const [ann, bea] = [await subscriber(), await subscriber()]
    const pages = [await openPortal(ann), await openPortal(ann), await openPortal(bea)]
    expect(new Set(pages).size).toBe(3)
  })

  it('ignores the additional fields of the protocol', async ({ subscriber, openPortal }) => {
    const cam = await subscriber()
    const body = { priceIds: [testPrices.monthly], configuration: { any: 'thing' } }
    expect(await openPortal(cam, body)).toMatch(/^http/)
  })

  it('cancels at period end and resumes', async ({ payments, subscriber, submitAction }) => {
    const dan = await subscriber()
    await submitAction(dan, 'cancel')
    const [canceled] = (await payments.memberOf(dan)).planConnections
    expect(canceled).toMatchObject({
      active: true,
      status: 'ACTIVE',
      payment: { nextBillingDate: null, cancelAtDate: '2026-12-20T17:00:00.000Z' },
    })
    await submitAction(dan, 'resume')
    const [resumed] = (await payments.memberOf(dan)).planConnections
    expect(resumed).toMatchObject({
      active: true,
      payment: { nextBillingDate: '2026-12-20T17:00:00.000Z', cancelAtDate: null },
    })
  })

  it('upgrades at once from the confirmation page of a second checkout', async ({
    payments,
    stripe,
    subscriber,
  }) => {
    const eva = await subscriber()
    const confirm = await openPage(await payments.openCheckout(eva, testPrices.yearly))
    const page = new URL(confirm.location ?? '', payments.stripeUrl).href
    const { html } = await openPage(page)
    const action = /<form[^>]*action="([^"]+)"/.exec(html)?.[1] ?? page
    const fields = Object.fromEntries(
      [...html.matchAll(/<input[^>]*type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    )
    await submitForm(new URL(action.replaceAll('&amp;', '&'), page).href, fields)
    await payments.settle()
    const member = await payments.memberOf(eva)
    expect(member.planConnections).toMatchObject([
      { planName: 'Yearly', active: true, payment: { priceId: testPrices.yearly, amount: 49.99 } },
    ])
    const { data } = await stripe.subscriptions.list({
      customer: member.stripeCustomerId ?? '',
      status: 'all',
    })
    expect(data).toHaveLength(1)
  })

  it('links back to the cancel URL from the confirmation page', async ({ payments, site, subscriber }) => {
    const fay = await subscriber()
    const [successUrl, cancelUrl] = ['done', 'back'].map(
      (name) => `${site.context.config.site.url.origin}/#/${name}`,
    )
    const url = await payments.openCheckout(fay, testPrices.yearly, {
      success_url: successUrl,
      cancel_url: cancelUrl,
    })
    const confirm = await openPage(url)
    const { html } = await openPage(new URL(confirm.location ?? '', payments.stripeUrl).href)
    expect(html).toContain(cancelUrl)
    expect(html).not.toContain(`href="${successUrl}"`)
  })

  it.for([
    ['another plan', testPrices.yearly],
    ['the same plan', testPrices.monthly],
  ] as const)(
    'opens at its first page for a checkout of %s while a cancellation is scheduled',
    async ([_what, priceId], { payments, subscriber, submitAction }) => {
      const gus = await subscriber()
      await submitAction(gus, 'cancel')
      const page = await openPage(await payments.openCheckout(gus, priceId))
      expect(page.status).toBe(200)
      expect(page.html).toContain('/resume')
    },
  )

  it.for([
    ['another plan', 'prc_grand'],
    ['the same plan', testPrices.yearly],
  ] as const)(
    'opens at its first page for a checkout of %s while a change is scheduled',
    async ([_what, price], { payments, members, subscriber }) => {
      const hal = await subscriber(testPrices.yearly)
      const body = { priceId: testPrices.monthly }
      await members.call('POST', '/member/plans/change', { headers: hal.headers, body })
      const page = await openPage(await payments.openCheckout(hal, price))
      expect(page.status).toBe(200)
      expect(page.html).not.toContain('Grand')
    },
  )
})
