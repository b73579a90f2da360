import type { AccountChange } from '@tidings/emulators/stripe/admin/admin-routes'
import { describe, expect } from 'vitest'
import { paymentTest } from '#test/fixtures.ts'
import { testCards } from '#test/payments/payment-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'
import { runInProcess } from '#test/sites/run-in-process.ts'

const siteUrl = 'https://tidings.example'
const endpoint = {
  url: `${siteUrl}/webhooks/stripe`,
  enabledEvents: ['*'],
  apiVersion: '2026-10-28.endive',
  status: 'enabled' as const,
}

const it = paymentTest({})
  .extend('check', { scope: 'file' }, ({ site }) => {
    return async ({ secretKey, webhookSecrets }: { secretKey?: string; webhookSecrets?: string[] } = {}) => {
      const { config } = site.context
      const { stripe } = config.payments
      if (stripe === null) throw new Error('The site has no payments.')
      const given = {
        ...stripe,
        secretKey: secretKey ?? stripe.secretKey,
        webhookSecrets: webhookSecrets ?? stripe.webhookSecrets,
      }
      return await runInProcess(['payments', 'check'], {
        ...config,
        site: { ...config.site, url: new URL(siteUrl) },
        payments: { ...config.payments, stripe: given },
      })
    }
  })
  /** Sets the account as the site needs it. */
  .extend('ready', { auto: true }, ({ payments }) =>
    payments.controls.changeAccount({ webhookEndpoints: [endpoint], hostedPaymentMethodSave: 'always' }),
  )
  /** Returns everything that a call could change at Stripe. */
  .extend('atStripe', { scope: 'file' }, ({ stripe }) => async () => {
    const all = { limit: 100 }
    return JSON.stringify([
      (await stripe.products.list(all)).data,
      (await stripe.prices.list(all)).data,
      (await stripe.billingPortal.configurations.list(all)).data,
      // The deliveries of earlier events may still be pending.
      (await stripe.events.list(all)).data.map(({ id }) => id),
    ])
  })

describe('payments check', () => {
  it('says of each thing that it is right, changes nothing and exits with 0', async ({
    check,
    atStripe,
    site,
  }) => {
    const before = await atStripe()
    const { code, printed } = await check()
    const { appId } = site.context.config.site
    expect(printed).toMatch(
      /^ {2}✓ STRIPE_SECRET_KEY belongs to acct_\w+ \(test mode\), as this database does\.$/m,
    )
    expect(printed).toContain(`✓ ${appId}: 2 prices are sold as configured.`)
    expect(printed).toContain(
      `✓ ${appId}: in the portal, members change their card, cancel, and find invoices.`,
    )
    expect(printed).toContain(`✓ we_1 sends every event that the site needs to ${endpoint.url}.`)
    expect(printed).toContain('✓ The card that pays an open invoice also pays the next renewal.')
    expect(printed).toContain('✓ STRIPE_TAX is off')
    expect(printed).toMatch(/Nothing must be done\.\n$/)
    expect(code).toBe(0)
    expect(await atStripe()).toBe(before)
  })

  it.for<[what: string, change: AccountChange, text: string]>([
    ['no endpoint leads to the site', { webhookEndpoints: [] }, 'No endpoint leads to'],
    [
      'the endpoint is disabled',
      { webhookEndpoints: [{ ...endpoint, status: 'disabled' }] },
      'Only a disabled endpoint leads to',
    ],
    [
      'events are missing',
      { webhookEndpoints: [{ ...endpoint, enabledEvents: ['invoice.paid'] }] },
      "we_1 doesn't send customer.subscription.created",
    ],
    [
      'a second endpoint has no secret here',
      { webhookEndpoints: [endpoint, { ...endpoint, url: `${endpoint.url}?version=2` }] },
      '2 endpoints send events here, but STRIPE_WEBHOOK_SECRET has one secret',
    ],
    [
      'cards are not kept',
      { hostedPaymentMethodSave: 'never' },
      'The card that pays an open invoice is not kept',
    ],
  ])('says what to do when %s, and exits with 1', async ([_what, change, text], { check, payments }) => {
    await payments.controls.changeAccount(change)
    const { code, printed } = await check()
    expect(printed).toContain(`TO DO: ${text}`)
    expect(printed).toMatch(/1 thing must be done\.\n$/)
    expect(code).toBe(1)
  })

  it('accepts two endpoints during an upgrade, with the secrets of both', async ({ check, payments }) => {
    const former = { ...endpoint, url: `${endpoint.url}?former`, apiVersion: '2025-01-27.acacia' }
    await payments.controls.changeAccount({ webhookEndpoints: [endpoint, former] })
    const { code, printed } = await check({ webhookSecrets: ['whsec_1', 'whsec_2'] })
    expect(printed).toContain('note: we_2 has API version 2025-01-27.acacia')
    expect(printed).toContain('note: Two endpoints send events here.')
    expect(code).toBe(0)
  })

  it('names the permissions that a restricted key lacks', async ({ check, payments, atStripe }) => {
    const secretKey = 'rk_test_tidings_local'
    await payments.controls.addKey(secretKey)
    const before = await atStripe()
    expect((await check({ secretKey })).printed).toContain('✓ The restricted key has every permission')
    for (const match of ['POST /v1/refunds', 'GET /v1/account', 'GET /v1/webhook_endpoints'])
      await payments.controls.addFault({ kind: 'forbidden', match, times: match.endsWith('account') ? 2 : 1 })
    const { code, printed } = await check({ secretKey })
    expect(printed).toContain('TO DO: The restricted key lacks refunds (write).')
    expect(printed).toContain('note: The key may not read the account.')
    expect(printed).toContain('note: The key may not read endpoints.')
    expect(code).toBe(1)
    expect(await atStripe()).toBe(before)
  })

  it('names the price that Stripe does not sell, and the invoice that is retried after the grace period', async ({
    check,
    payments,
    actions,
    members,
    stripe,
    db,
  }) => {
    const member = await members.signUp()
    await payments.subscribe(member, testPrices.monthly)
    await actions.changeCard(member, testCards.failsLater)
    await actions.pass(40)
    const sold = await db.stripePrice.findFirstOrThrow({
      where: { priceId: testPrices.yearly, current: true },
    })
    await stripe.prices.update(sold.id, { active: false })
    const { code, printed } = await check()
    expect(printed).toContain(`TO DO: ${sold.appId}: Stripe doesn't sell ${testPrices.yearly} at $`)
    expect(printed).toMatch(/TO DO: in_\w+ is tried again on \d{4}-\d\d-\d\d, .*PAYMENT_GRACE_DAYS is 7/)
    expect(code).toBe(1)
  })
})
