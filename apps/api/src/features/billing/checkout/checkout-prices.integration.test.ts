import { planChangeByPriceReply } from '@tidings/contracts/membership/billing'
import type Stripe from 'stripe'
import { describe, expect } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { refusalOf } from '#test/desk.ts'
import { addPlans, changeApp } from '#test/factories/app-settings.ts'
import { addApp } from '#test/factories/membership-apps.ts'
import { testPlans } from '#test/factories/plans.ts'
import { paymentTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const checkout = '/member/plans/create-checkout-session'
const calls = [checkout, '/member/plans/change/preview', '/member/plans/change'] as const
const monthly = { amount: 5, currency: 'usd', interval: 'MONTHLY' } as const
const log = createCapturedLog()

// A configured price that is not synced to Stripe logs an error.

const it = paymentTest({ overrides: { logger: log.logger } })
  .extend('subscriber', { scope: 'file' }, ({ actions }) => actions.subscriber())
  /** Raises a price in the configuration only. */
  .extend('raise', { scope: 'file' }, ({ site }) => async (priceId: string, amount: number) => {
    const { plans } = await site.context.apps.siteApp()
    const raised = plans.map((plan) => ({
      ...plan,
      prices: plan.prices.map((price) => (price.id === priceId ? { ...price, amount } : price)),
    }))
    await changeApp(site, { plans: raised })
  })
  .extend(
    'call',
    { scope: 'file' },
    ({ members }) =>
      async (url: string, { headers }: Pick<TestMember, 'headers'>, priceId: string) => {
        return await members.call('POST', url, { headers, body: { priceId } })
      },
  )
it.beforeAll(async ({ site, raise }) => {
  await addPlans(site, [
    { id: 'pln_retired', name: 'Retired', status: 'INACTIVE', prices: [{ id: 'prc_retired', ...monthly }] },
    { id: 'pln_inner', name: 'Inner', restrictToAdmin: true, prices: [{ id: 'prc_inner', ...monthly }] },
    {
      id: 'pln_mixed',
      name: 'Mixed',
      prices: [
        { id: 'prc_hidden', ...monthly, active: false },
        { id: 'prc_once', amount: 9, currency: 'usd', type: 'ONETIME' },
        { id: 'prc_raised', ...monthly },
      ],
    },
    { id: 'pln_small', name: 'Small', memberLimit: 1, prices: [{ id: 'prc_small', ...monthly }] },
  ])
  const elsewhere = { id: 'prc_elsewhere', ...monthly }
  await addApp(site, {
    id: 'app_other',
    publicKey: 'pk_other',
    plans: [{ id: 'pln_elsewhere', name: 'Elsewhere', prices: [elsewhere] }],
  })
  await site.context.syncCatalog(() => {})
  await addPlans(site, [{ id: 'pln_new', name: 'New', prices: [{ id: 'prc_new', ...monthly }] }])
  await raise('prc_raised', 6)
})

describe('the price of a checkout or plan change', () => {
  it.for([
    ['an unknown price', 'prc_neverwas'],
    ['a price of another app', 'prc_elsewhere'],
    ['a hidden price', 'prc_hidden'],
    ['a price of a retired plan', 'prc_retired'],
    ['a one-time price', 'prc_once'],
    ['a price that is not synced to Stripe', 'prc_new'],
    ['a price with a new amount that is not synced to Stripe', 'prc_raised'],
    ['the id of a Stripe price', 'sold'],
    ['the id of a plan', testPlans.monthly],
    ['an id with invalid characters', "prc_';\u0007--%"],
  ] as const)(
    'is rejected for new members and subscribers: %s',
    async ([_what, name], { payments, stripe, members, subscriber, call }) => {
      const priceId = name === 'sold' ? await soldAs(stripe, testPrices.monthly) : name
      const newMember = await members.signUp()
      for (const url of calls) {
        for (const member of [newMember, subscriber]) {
          expect(refusalOf(await call(url, member, priceId))).toEqual({
            status: 400,
            code: 'price-no-longer-available',
            message:
              'This price is no longer available. You weren’t charged. Choose one of the current plans.',
          })
        }
      }
      expect((await payments.memberOf(newMember)).stripeCustomerId).toBeNull()
    },
  )

  it('is rejected for a plan that only admins can grant', async ({ members, subscriber, call }) => {
    for (const url of calls) {
      for (const member of [await members.signUp(), subscriber]) {
        expect(refusalOf(await call(url, member, 'prc_inner'))).toMatchObject({
          status: 403,
          code: 'plan-restricted-to-admin',
        })
      }
    }
  })

  async function soldAs(stripe: Stripe, priceId: string): Promise<string> {
    const { data } = await stripe.prices.list({ limit: 100 })
    return data.find(({ metadata }) => metadata.price === priceId)?.id ?? ''
  }

  it('is the raised one for new subscribers after a sync, and the old one for existing subscribers', async ({
    payments,
    site,
    actions,
    members,
    raise,
  }) => {
    const { syncCatalog } = site.context
    await addPlans(site, [{ id: 'pln_rising', name: 'Rising', prices: [{ id: 'prc_rising', ...monthly }] }])
    await syncCatalog(() => {})
    const early = await actions.subscriber('prc_rising')
    await raise('prc_rising', 7)
    await syncCatalog(() => {})
    const late = await payments.subscribe(await members.signUp(), 'prc_rising')
    const [earlyPlan] = (await payments.memberOf(early)).planConnections
    expect(earlyPlan).toMatchObject({ active: true, payment: { priceId: 'prc_rising', amount: 5 } })
    expect(late.planConnections).toMatchObject([{ payment: { priceId: 'prc_rising', amount: 7 } }])
  })

  it('stays the old one for a subscriber who cancels a scheduled change', async ({
    actions,
    site,
    raise,
    call,
  }) => {
    const { syncCatalog } = site.context
    const yearly = { id: 'prc_climbing', amount: 50, currency: 'usd', interval: 'YEARLY' as const }
    await addPlans(site, [{ id: 'pln_climbing', name: 'Climbing', prices: [yearly] }])
    await syncCatalog(() => {})
    const member = await actions.subscriber('prc_climbing')
    await raise('prc_climbing', 60)
    await syncCatalog(() => {})
    await call('/member/plans/change', member, testPrices.monthly)
    const { data, _internalUseOnly } = planChangeByPriceReply.parse(
      (await call('/member/plans/change', member, 'prc_climbing')).json(),
    )
    expect(data.change).toMatchObject({ to: { amount: 50 }, effective: 'now', amountDue: 0 })
    expect(_internalUseOnly.message).toBe("You're staying on Climbing.")
    const { schedule, items } = await actions.subscriptionOf(member)
    expect(schedule).toBeNull()
    expect(items.data.map(({ price }) => price.unit_amount)).toEqual([5_000])
  })

  it('is rejected for a plan that is full', async ({ actions, members, subscriber, call }) => {
    await actions.subscriber('prc_small')
    const other = await members.signUp()
    const full = { status: 409, code: 'plan-member-limit-reached' }
    expect(refusalOf(await call(checkout, other, 'prc_small'))).toMatchObject(full)
    for (const url of calls) expect(refusalOf(await call(url, subscriber, 'prc_small'))).toMatchObject(full)
  })

  it('is no longer available while it is archived at Stripe, which is logged, until a sync', async ({
    payments,
    site,
    members,
    stripe,
    db,
    call,
  }) => {
    const where = { priceId: testPrices.monthly, current: true }
    const { id } = await db.stripePrice.findFirstOrThrow({ where })
    await stripe.prices.update(id, { active: false })
    const ann = await members.signUp()
    const before = log.lines.length
    expect(refusalOf(await call(checkout, ann, testPrices.monthly))).toMatchObject({
      status: 400,
      code: 'price-no-longer-available',
    })
    expect(log.errorMessages(before)).toEqual(['price archived at Stripe: run `tidings payments sync`'])
    await site.context.syncCatalog(() => {})
    expect(await payments.openCheckout(ann, testPrices.monthly)).toMatch(/^http/)
  })
})
