import { openPage, submitForm } from '@tidings/emulators/stripe/testing/browse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { addPlans } from '#test/factories/app-settings.ts'
import type { TestMember } from '#test/membership.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'

const path = '/member/create-billing-portal-session'

let at: PaymentSite
beforeAll(async () => {
  at = await startPaymentSite()
  const grand = { id: 'prc_grand', amount: 99.99, currency: 'usd', interval: 'YEARLY' as const }
  await addPlans(at.site, [{ id: 'pln_grand', name: 'Grand', prices: [grand] }])
  await at.site.context.syncCatalogue(() => {})
})
afterAll(() => at.close())

async function subscriber(priceId: string = testPrices.monthly): Promise<TestMember> {
  const member = await at.members.signUp()
  await at.subscribe(member, priceId)
  return member
}

/** Returns the URL of a member's portal. */
async function openPortal({ headers }: TestMember, body: Record<string, unknown> = {}): Promise<string> {
  return (await at.members.call('POST', path, { headers, body })).json().data.url
}

/** Submits a form of the subscription's page in the portal. */
async function submitAction(member: TestMember, action: string, fields: Record<string, string> = {}) {
  const { stripeCustomerId: customer } = await at.memberOf(member)
  const { data } = await at.stripe.subscriptions.list({ customer: customer ?? '' })
  const done = await submitForm(`${await openPortal(member)}/subscriptions/${data[0]?.id}/${action}`, fields)
  await at.settle()
  return done
}

describe('POST /member/create-billing-portal-session', () => {
  it('requires a login', async () => {
    expect(refusalOf(await at.members.call('POST', path, { body: {} }))).toMatchObject({
      status: 401,
      code: 'login-required',
    })
  })

  it('returns 404 before any payment', async () => {
    const { headers } = await at.members.signUp()
    for (const request of [{ headers, body: {} }, { headers }]) {
      expect(refusalOf(await at.members.call('POST', path, request))).toEqual({
        status: 404,
        code: 'no-billing-account',
        message: "You don't have a paid plan to manage yet.",
      })
    }
  })

  it("shows the member's plan", async () => {
    const { html, status } = await openPage(await openPortal(await subscriber()))
    expect(status).toBe(200)
    expect(html).toContain('Monthly')
    expect(html).toContain('$4.99')
  })

  it('returns a new page for each request', async () => {
    const [ann, bea] = [await subscriber(), await subscriber()]
    const pages = [await openPortal(ann), await openPortal(ann), await openPortal(bea)]
    expect(new Set(pages).size).toBe(3)
  })

  it('ignores the additional fields of the protocol', async () => {
    const cam = await subscriber()
    const body = { priceIds: [testPrices.monthly], configuration: { any: 'thing' } }
    expect(await openPortal(cam, body)).toMatch(/^http/)
  })

  it('cancels at period end and resumes', async () => {
    const dan = await subscriber()
    await submitAction(dan, 'cancel')
    const [canceled] = (await at.memberOf(dan)).planConnections
    expect(canceled).toMatchObject({
      active: true,
      status: 'ACTIVE',
      payment: { nextBillingDate: null, cancelAtDate: '2026-12-20T17:00:00.000Z' },
    })
    await submitAction(dan, 'resume')
    const [resumed] = (await at.memberOf(dan)).planConnections
    expect(resumed).toMatchObject({
      active: true,
      payment: { nextBillingDate: '2026-12-20T17:00:00.000Z', cancelAtDate: null },
    })
  })

  it('upgrades at once from the confirmation page of a second checkout', async () => {
    const eva = await subscriber()
    const confirm = await openPage(await at.openCheckout(eva, testPrices.yearly))
    const page = new URL(confirm.location ?? '', at.stripeUrl).href
    const { html } = await openPage(page)
    const action = /<form[^>]*action="([^"]+)"/.exec(html)?.[1] ?? page
    const fields = Object.fromEntries(
      [...html.matchAll(/<input[^>]*type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    )
    await submitForm(new URL(action.replaceAll('&amp;', '&'), page).href, fields)
    await at.settle()
    const member = await at.memberOf(eva)
    expect(member.planConnections).toMatchObject([
      { planName: 'Yearly', active: true, payment: { priceId: testPrices.yearly, amount: 49.99 } },
    ])
    const { data } = await at.stripe.subscriptions.list({
      customer: member.stripeCustomerId ?? '',
      status: 'all',
    })
    expect(data).toHaveLength(1)
  })

  it('links back to the cancel URL from the confirmation page', async () => {
    const fay = await subscriber()
    const [successUrl, cancelUrl] = ['done', 'back'].map(
      (name) => `${at.site.context.config.site.url.origin}/#/${name}`,
    )
    const url = await at.openCheckout(fay, testPrices.yearly, {
      success_url: successUrl,
      cancel_url: cancelUrl,
    })
    const confirm = await openPage(url)
    const { html } = await openPage(new URL(confirm.location ?? '', at.stripeUrl).href)
    expect(html).toContain(cancelUrl)
    expect(html).not.toContain(`href="${successUrl}"`)
  })

  it.each([
    ['another plan', testPrices.yearly],
    ['the same plan', testPrices.monthly],
  ])(
    'opens at its first page for a checkout of %s while a cancellation is scheduled',
    async (_what, priceId) => {
      const gus = await subscriber()
      await submitAction(gus, 'cancel')
      const page = await openPage(await at.openCheckout(gus, priceId))
      expect(page.status).toBe(200)
      expect(page.html).toContain('/resume')
    },
  )

  it.each([
    ['another plan', 'prc_grand'],
    ['the same plan', testPrices.yearly],
  ])('opens at its first page for a checkout of %s while a change is scheduled', async (_what, price) => {
    const hal = await subscriber(testPrices.yearly)
    const body = { priceId: testPrices.monthly }
    await at.members.call('POST', '/member/plans/change', { headers: hal.headers, body })
    const page = await openPage(await at.openCheckout(hal, price))
    expect(page.status).toBe(200)
    expect(page.html).not.toContain('Grand')
  })
})
