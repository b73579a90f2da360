import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { z } from 'zod'
import { appConfigSchema } from '#platform/membership-apps/app-config.ts'
import { refusalOf } from '#test/desk.ts'
import { paymentTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { testPrices } from '#test/sites/payment-site.ts'
import { type Context, createContext } from '../context.ts'
import { applyConfig, checkConfig } from './app-config.ts'

const checkout = '/member/plans/create-checkout-session'
const dayMs = 24 * 3_600_000
const resultSchema = z.object({ text: z.string().optional() })

const it = paymentTest({})
  .extend('folderPrefix', { scope: 'file' }, path.join(tmpdir(), 'tidings-save-config-'))
  .extend('folder', { scope: 'file' }, async ({ folderPrefix }, { onCleanup }) => {
    const folder = await mkdtemp(folderPrefix)
    onCleanup(() => rm(folder, { recursive: true, force: true }))
    return folder
  })
  .extend('command', { scope: 'file' }, ({ site }, { onCleanup }): Context => {
    const context = createContext(site.context.config, 'app-config', { clock: site.clock })
    onCleanup(() => context.close())
    return context
  })
  /** Writes the stored configuration with another monthly price, in dollars. */
  .extend(
    'fileWith',
    { scope: 'file' },
    ({ site, folder, db }) =>
      async (amount: number): Promise<string> => {
        const row = await db.membershipApp.findUniqueOrThrow({
          where: { id: site.context.config.site.appId },
        })
        const config = appConfigSchema.parse(row.config)
        const plans = config.plans.map((plan) => ({
          ...plan,
          prices: plan.prices.map((price) =>
            price.id === testPrices.monthly ? { ...price, amount } : price,
          ),
        }))
        const file = path.join(folder, 'app.json')
        await writeFile(file, JSON.stringify({ ...config, plans }))
        return file
      },
  )
  /** Applies a monthly price; returns what is printed. */
  .extend('apply', { scope: 'file' }, ({ command, fileWith }) => async (amount: number, verb = 'apply') => {
    const printed: string[] = []
    const run = verb === 'check' ? checkConfig : applyConfig
    const result = await run(command, await fileWith(amount), {}, (text) => printed.push(text)).catch(
      (caught: unknown) => caught,
    )
    if (result instanceof Error) return { printed: printed.join(''), failure: result.message }
    const { text = '' } = resultSchema.parse(result)
    return { printed: `${printed.join('')}${text}`, failure: '' }
  })
  /** Returns the amount of the monthly plan that Stripe's page of a new checkout shows. */
  .extend('soldAmount', { scope: 'file' }, ({ payments, stripe }) => async (member: TestMember) => {
    await payments.openCheckout(member, testPrices.monthly)
    const { data } = await stripe.checkout.sessions.list({ limit: 1 })
    return data[0]?.amount_subtotal
  })
  .extend('shownAmount', { scope: 'file' }, ({ members }) => async (): Promise<number> => {
    const { plans } = (await members.call('GET', '/app')).json().data
    const prices = plans.flatMap((plan: { prices: { id: string; amount: number }[] }) => plan.prices)
    return prices.find(({ id }: { id: string }) => id === testPrices.monthly).amount
  })
  .extend('activeAmounts', { scope: 'file' }, ({ stripe }) => async () => {
    const { data } = await stripe.prices.list({ active: true, limit: 100 })
    const monthly = data.filter(({ metadata }) => metadata.price === testPrices.monthly)
    return monthly.map(({ unit_amount: amount }) => amount).toSorted()
  })

describe('app-config apply with a changed price', () => {
  it('shows and sells the new price after one command, which says what happens to sales', async ({
    apply,
    members,
    soldAmount,
    shownAmount,
    activeAmounts,
  }) => {
    expect((await apply(5.49, 'check')).printed).toContain(
      `${testPrices.monthly}: $4.99 a month becomes $5.49 a month`,
    )
    const { printed, failure } = await apply(5.49)
    expect(failure).toBe('')
    expect(printed).toMatch(/^Stripe: price prc_monthly\S+: created as price_\w+\nSaved\. Changed: plans\.$/m)
    expect(printed).toContain(`${testPrices.monthly}: $4.99 a month becomes $5.49 a month`)
    expect(printed).toContain('A checkout that is already open can be paid for a day')
    expect(await shownAmount()).toBe(5.49)
    expect(await soldAmount(await members.signUp())).toBe(549)
    expect(await activeAmounts()).toEqual([499, 549])
    expect(await apply(5.49)).toEqual({ printed: 'Saved. Nothing changed.\n', failure: '' })
  })

  it('keeps an open checkout payable at the price that it shows, and archives that price later', async ({
    apply,
    payments,
    site,
    members,
    activeAmounts,
  }) => {
    await apply(6)
    const member = await members.signUp()
    const page = await payments.openCheckout(member, testPrices.monthly)
    await apply(6.5)
    await payments.controls.completeCheckout(page)
    await payments.settle()
    expect((await payments.memberOf(member)).planConnections).toMatchObject([
      { active: true, payment: { priceId: testPrices.monthly, amount: 6 } },
    ])
    site.clock.pass(2 * dayMs)
    await site.context.syncCatalog(() => {})
    expect(await activeAmounts()).toEqual([650])
  })

  it('changes nothing when Stripe fails before, and does it when it is repeated', async ({
    apply,
    payments,
    members,
    soldAmount,
    shownAmount,
  }) => {
    await apply(7)
    await payments.controls.addFault({ kind: 'server-error', match: 'POST /v1/prices', times: 3 })
    const failed = await apply(8)
    expect(failed.failure).toContain('Nothing was saved: the site still shows and sells the previous prices.')
    expect(await shownAmount()).toBe(7)
    expect(await soldAmount(await members.signUp())).toBe(700)
    expect((await apply(8)).failure).toBe('')
    expect(await soldAmount(await members.signUp())).toBe(800)
  })

  it('sells the new price when it is interrupted after saving, and completes the rest when it is repeated', async ({
    apply,
    payments,
    members,
    soldAmount,
    shownAmount,
  }) => {
    await apply(9)
    const portal = 'POST /v1/billing_portal/configurations'
    await payments.controls.addFault({ kind: 'server-error', match: portal, times: 3 })
    const failed = await apply(10)
    expect(failed.printed).toContain('Saved. Changed: plans.')
    expect(failed.failure).toContain('The configuration is saved, and its prices are sold.')
    expect(await shownAmount()).toBe(10)
    expect(await soldAmount(await members.signUp())).toBe(1_000)
    const repeated = await apply(10)
    expect(repeated).toMatchObject({ failure: '', printed: expect.stringContaining('prices current') })
    expect(await apply(10)).toMatchObject({ printed: 'Saved. Nothing changed.\n' })
  })

  it('refuses a checkout at the price that a page still shows', async ({ apply, members, payments }) => {
    await apply(11)
    const { headers } = await members.signUp()
    await apply(12)
    const order = { priceId: testPrices.monthly, shownCurrency: 'usd' }
    const call = (shownAmount: number) =>
      members.call('POST', checkout, { headers, body: { ...order, shownAmount } })
    expect(refusalOf(await call(11))).toEqual({
      status: 409,
      code: 'price-changed',
      message:
        'The price has changed since you saw it. You weren’t charged. Check the new price and continue.',
    })
    expect((await payments.memberOf({ headers })).stripeCustomerId).toBeNull()
    expect((await call(12)).statusCode).toBe(200)
  })

  it('sells the former price in a process that still shows it', async ({
    apply,
    site,
    db,
    members,
    soldAmount,
  }) => {
    await apply(13)
    const { appId: id } = site.context.config.site
    const { config: former } = await db.membershipApp.findUniqueOrThrow({ where: { id } })
    await apply(14)
    const { config: current } = await db.membershipApp.findUniqueOrThrow({ where: { id } })
    const store = (config: typeof current) =>
      site.context.database.transaction(async (tx) => {
        await tx.membershipApp.update({ where: { id }, data: { config: config ?? {} } })
        await site.context.invalidation.invalidateAll(tx)
      })
    await store(former)
    onTestFinished(() => store(current))
    expect(await soldAmount(await members.signUp())).toBe(1_300)
  })
})
