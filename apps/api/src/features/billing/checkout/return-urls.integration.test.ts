import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { changeApp } from '#test/factories/app-settings.ts'
import { paymentTest } from '#test/fixtures.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const checkout = '/member/plans/create-checkout-session'
const portal = '/member/create-billing-portal-session'

const it = paymentTest()
  .extend('subscriber', { scope: 'file' }, ({ actions }) => actions.subscriber())
  .extend('siteOrigin', { scope: 'file' }, ({ site }) => (): string => {
    return site.context.config.site.url.origin
  })
  /** Returns the success and cancel URLs of a checkout session with this request body. */
  .extend(
    'destinations',
    { scope: 'file' },
    ({ payments, members, stripe }) =>
      async (body: Record<string, unknown>) => {
        const member = await members.signUp()
        await payments.openCheckout(member, testPrices.monthly, body)
        const { stripeCustomerId: customer } = await payments.memberOf(member)
        const { data } = await stripe.checkout.sessions.list({ customer: customer ?? '' })
        return [data[0]?.success_url, data[0]?.cancel_url]
      },
  )
it.beforeAll(({ site }) => changeApp(site, { allowedOrigins: ['https://partner.example'] }))

const foreign = [
  ['on a foreign site', 'https://evil.example/paid'],
  ['on a site whose name begins with an allowed one', 'https://partner.example.evil.example/'],
  ['on a site whose name ends with an allowed one', 'https://notpartner.example/'],
  ['on another port', 'https://partner.example:8443/'],
  ['with HTTP instead of HTTPS', 'http://partner.example/'],
  ['with a javascript: scheme', 'javascript:alert(1)'],
  ['with a data: scheme', 'data:text/html,hello'],
  ['with a file: scheme', 'file:///etc/passwd'],
  ['with credentials', 'https://user:pass@partner.example/'],
  ['with a user name that looks like an allowed site', 'https://partner.example@evil.example/'],
  ['with backslashes', 'https:\\\\evil.example/'],
  ['without a scheme', '//evil.example/paid'],
  ['that is a path', '/account'],
  ['that is not a URL', 'not an address'],
] as const

describe('the return URL of a checkout or portal session', () => {
  it.for(foreign)('rejects a URL %s', async ([_what, address], { payments, members, subscriber }) => {
    const newMember = await members.signUp()
    for (const field of ['success_url', 'cancel_url', 'origin_url']) {
      const body = { priceId: testPrices.monthly, [field]: address }
      const reply = await members.call('POST', checkout, { headers: newMember.headers, body })
      expect(refusalOf(reply)).toEqual({
        status: 403,
        code: 'domain-not-permitted',
        message: `'${field}' must be a page of this site.`,
      })
    }
    for (const field of ['return_url', 'origin_url']) {
      const reply = await members.call('POST', portal, {
        headers: subscriber.headers,
        body: { [field]: address },
      })
      expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'domain-not-permitted' })
    }
    expect((await payments.memberOf(newMember)).stripeCustomerId).toBeNull()
  })

  it('is the requested page on an allowed origin', async ({ siteOrigin, destinations }) => {
    const success_url = 'https://partner.example/paid?from=checkout#thanks'
    const cancel_url = `${siteOrigin()}/#/account/change-plan`
    expect(await destinations({ success_url, cancel_url })).toEqual([success_url, cancel_url])
  })

  it('is the requesting page when the request names no other', async ({ destinations }) => {
    const origin_url = 'https://partner.example/plans'
    expect(await destinations({ origin_url })).toEqual([origin_url, origin_url])
  })

  it.for([
    ['nothing', {}],
    ['null', { success_url: null, cancel_url: null, origin_url: null }],
    ['only empty strings', { success_url: '', cancel_url: '', origin_url: '' }],
  ] as const)(
    'is the dashboard when the request contains %s',
    async ([_what, body], { siteOrigin, destinations }) => {
      const dashboard = `${siteOrigin()}/#/account/dashboard`
      expect(await destinations(body)).toEqual([dashboard, dashboard])
    },
  )

  it.for([
    ['the dashboard', {}, null],
    ['the requested page', { return_url: 'https://partner.example/me' }, 'https://partner.example/me'],
    ['the requesting page', { origin_url: 'https://partner.example/me' }, 'https://partner.example/me'],
  ] as const)('of the portal is %s', async ([_what, body, address], { members, subscriber, siteOrigin }) => {
    const reply = await members.call('POST', portal, { headers: subscriber.headers, body })
    const page = await (await fetch(reply.json().data.url, { headers: { accept: 'text/html' } })).text()
    expect(page).toContain(`href="${address ?? `${siteOrigin()}/#/account/dashboard`}"`)
  })
})
