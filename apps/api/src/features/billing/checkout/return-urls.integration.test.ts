import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { changeApp } from '#test/factories/app-settings.ts'
import type { TestMember } from '#test/membership.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'

const checkout = '/member/plans/create-checkout-session'
const portal = '/member/create-billing-portal-session'

let at: PaymentSite
let subscriber: TestMember
beforeAll(async () => {
  at = await startPaymentSite()
  await changeApp(at.site, { allowedOrigins: ['https://partner.example'] })
  subscriber = await at.members.signUp()
  await at.subscribe(subscriber, testPrices.monthly)
})
afterAll(() => at.close())

function siteOrigin(): string {
  return at.site.context.config.site.url.origin
}

/** Where a checkout that is opened so leads when it was paid, and when it was given up. */
async function destinations(body: Record<string, unknown>) {
  const member = await at.members.signUp()
  await at.openCheckout(member, testPrices.monthly, body)
  const { stripeCustomerId: customer } = await at.memberOf(member)
  const { data } = await at.stripe.checkout.sessions.list({ customer: customer ?? '' })
  return [data[0]?.success_url, data[0]?.cancel_url]
}

const foreign = [
  ['on a foreign site', 'https://evil.example/paid'],
  ['on a site whose name begins like ours', 'https://partner.example.evil.example/'],
  ['on a site whose name ends like ours', 'https://notpartner.example/'],
  ['on another port', 'https://partner.example:8443/'],
  ['without encryption where ours is encrypted', 'http://partner.example/'],
  ['that is a script', 'javascript:alert(1)'],
  ['that is a page of its own', 'data:text/html,hello'],
  ['that is a file', 'file:///etc/passwd'],
  ['with a name and a password', 'https://user:pass@partner.example/'],
  ['with a name that looks like our site', 'https://partner.example@evil.example/'],
  ['with a backslash for a slash', 'https:\\\\evil.example/'],
  ['without a scheme', '//evil.example/paid'],
  ['that is a path', '/account'],
  ['that is no address', 'not an address'],
] as const

describe('where a member comes back to', () => {
  it.each(foreign)('cannot lie %s', async (_what, address) => {
    const newcomer = await at.members.signUp()
    for (const field of ['success_url', 'cancel_url', 'origin_url']) {
      const body = { priceId: testPrices.monthly, [field]: address }
      const reply = await at.members.call('POST', checkout, { headers: newcomer.headers, body })
      expect(refusalOf(reply)).toEqual({
        status: 403,
        code: 'domain-not-permitted',
        message: `'${field}' must be a page of this site.`,
      })
    }
    for (const field of ['return_url', 'origin_url']) {
      const reply = await at.members.call('POST', portal, {
        headers: subscriber.headers,
        body: { [field]: address },
      })
      expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'domain-not-permitted' })
    }
    expect((await at.memberOf(newcomer)).stripeCustomerId).toBeNull()
  })

  it('is what the page wants, on a site that may use the app', async () => {
    const success_url = 'https://partner.example/paid?from=checkout#thanks'
    const cancel_url = `${siteOrigin()}/#/account/change-plan`
    expect(await destinations({ success_url, cancel_url })).toEqual([success_url, cancel_url])
  })

  it('is the page that asked, when it names nothing else', async () => {
    const origin_url = 'https://partner.example/plans'
    expect(await destinations({ origin_url })).toEqual([origin_url, origin_url])
  })

  it.each([
    ['nothing', {}],
    ['null', { success_url: null, cancel_url: null, origin_url: null }],
    ['nothing but empty texts', { success_url: '', cancel_url: '', origin_url: '' }],
  ])('is the dashboard when %s is named', async (_what, body) => {
    const dashboard = `${siteOrigin()}/#/account/dashboard`
    expect(await destinations(body)).toEqual([dashboard, dashboard])
  })

  it.each([
    ['the dashboard', {}, null],
    ['the page that is named', { return_url: 'https://partner.example/me' }, 'https://partner.example/me'],
    ['the page that asked', { origin_url: 'https://partner.example/me' }, 'https://partner.example/me'],
  ])('from the portal is %s', async (_what, body, address) => {
    const reply = await at.members.call('POST', portal, { headers: subscriber.headers, body })
    const page = await (await fetch(reply.json().data.url, { headers: { accept: 'text/html' } })).text()
    expect(page).toContain(`href="${address ?? `${siteOrigin()}/#/account/dashboard`}"`)
  })
})
