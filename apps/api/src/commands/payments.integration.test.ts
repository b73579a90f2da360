import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished } from 'vitest'
import { z } from 'zod'
import { compileCache } from '#test/compile-cache.ts'
import { paymentTest } from '#test/fixtures.ts'
import { testPrices } from '#test/sites/payment-site.ts'
import { runInProcess } from '#test/sites/run-in-process.ts'
import type { Config } from '../config/config.ts'

const execute = promisify(execFile)
const outcome = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() })
const program = fileURLToPath(new URL('./tidings.ts', import.meta.url))

/** The settings of the command's payments, which other accounts replace. */
type Stripe = Config['payments']['stripe']

const it = paymentTest()
  .extend('run', { scope: 'file' }, ({ site }) => async (args: string[], stripe?: Stripe) => {
    const { config } = site.context
    const given = stripe === undefined ? config.payments.stripe : stripe
    return await runInProcess(['payments', ...args], {
      ...config,
      payments: { ...config.payments, stripe: given },
    })
  })
  .extend('failureOf', { scope: 'file' }, ({ run }) => async (args: string[], stripe?: Stripe) => {
    const { code, errors } = await run(args, stripe)
    expect(code).toBe(1)
    return errors
  })

describe('payments', () => {
  it.for(['sync', 'reconcile'])('names the missing setting of %s', async (command, { failureOf }) => {
    expect(await failureOf([command], null)).toContain('STRIPE_SECRET_KEY is not set')
  })
})

describe('payments sync', () => {
  it('changes nothing when it runs again', async ({ run, site, stripe }) => {
    const { appId } = site.context.config.site
    const before = await stripe.prices.list({ limit: 100 })
    for (const _run of ['first', 'again']) {
      const { code, printed } = await run(['sync'])
      expect(code).toBe(0)
      expect(printed).toMatch(
        new RegExp(`^${appId}: 2 prices current\nnote: Stripe's API doesn't show the schedule.*\n$`),
      )
    }
    expect((await stripe.prices.list({ limit: 100 })).data).toEqual(before.data)
  })

  it('warns when the card that pays an open invoice is not kept', async ({ run, payments }) => {
    await payments.controls.changeAccount({ hostedPaymentMethodSave: 'never' })
    onTestFinished(() => payments.controls.changeAccount({ hostedPaymentMethodSave: 'always' }))
    const { code, printed } = await run(['sync'])
    expect(code).toBe(0)
    expect(printed).toMatch(/^TO DO: The card that pays an open invoice is not kept.* always saves/m)
  })

  it('succeeds when only the settings of the account cannot be read', async ({ run, payments }) => {
    await payments.controls.addFault({ kind: 'server-error', match: 'GET /v1/webhook_endpoints', times: 3 })
    const { code, printed } = await run(['sync'])
    expect(code).toBe(0)
    expect(printed).toMatch(/^note: The account's settings could not be read: .*tidings payments check/m)
  })

  it('fails when Stripe fails, without the key', async ({ failureOf, payments }) => {
    await payments.controls.addFault({ kind: 'server-error', match: 'GET /v1/products', times: 3 })
    expect(await failureOf(['sync'])).not.toContain(payments.secretKey)
  })
})

describe('payments reconcile', () => {
  it('asks before --force, and without a terminal needs --yes', async ({ run }) => {
    const { code, printed, errors } = await run(['reconcile', '--force'])
    expect({ code, printed }).toEqual({ code: 2, printed: '' })
    expect(errors).toContain('confirm with --yes')
    expect((await run(['reconcile', '--force', '--yes'])).code).toBe(0)
  })

  it('prints the number of compared subscriptions and each changed plan', async ({
    run,
    payments,
    members,
  }) => {
    const ann = await members.signUp()
    const page = await payments.openCheckout(ann, testPrices.monthly)
    await payments.controls.setWebhooks({ mode: 'off' })
    await payments.controls.completeCheckout(page)
    const first = await run(['reconcile'])
    expect(first.code).toBe(0)
    expect(first.printed).toMatch(new RegExp(`^${ann.memberId}: pln_\\S+ changed from none to ACTIVE$`, 'm'))
    expect(first.printed).toMatch(/^1 subscriptions of 1 customers compared; 1 plans changed\.$/m)
    const again = await run(['reconcile'])
    expect(again.printed).toMatch(/^1 subscriptions of 1 customers compared; 0 plans changed\.$/m)
    await payments.controls.setWebhooks({ mode: 'on' })
  })

  it('names the customer that it could not reconcile, and exits with 1', async ({
    payments,
    site,
    stripe,
    db,
  }) => {
    const { id: price } = await db.stripePrice.findFirstOrThrow()
    const metadata = { app: site.context.config.site.appId, member: 'mem_missing' }
    const { id } = await stripe.customers.create({ metadata })
    const trial = { customer: id, items: [{ price }], trial_period_days: 7 }
    const { id: subscription } = await stripe.subscriptions.create(trial)

    const env = { ...compileCache, DATABASE_URL: payments.databaseUrl, ...payments.env }
    const failure: unknown = await execute(process.execPath, [program, 'payments', 'reconcile'], {
      env,
    }).catch((error: unknown) => error)

    expect(outcome.parse(failure)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`${id} was not reconciled: member mem_missing does not exist`),
    })
    await stripe.subscriptions.cancel(subscription)
  })
})

describe('payments with the key of another account', () => {
  it.for(['sync', 'reconcile'])(
    '%s names the account of the database, changes nothing and fails',
    async (command, { failureOf, payments, site }) => {
      const secretKey = 'sk_test_other'
      await payments.controls.addKey(secretKey)
      const { stripe } = site.context.config.payments
      if (stripe === null) throw new Error('The site has no payments.')
      const failure = await failureOf([command], { ...stripe, secretKey })
      expect(failure).toMatch(/^This database belongs to Stripe account acct_\w+ \(test mode\), but/)
      expect(failure).not.toContain(secretKey)
    },
  )
})

describe('payments report', () => {
  it('lists a refunded payment with its Stripe ids and without the key', async ({
    run,
    payments,
    members,
  }) => {
    const member = await members.signUp()
    const pages = [
      await payments.openCheckout(member, testPrices.monthly),
      await payments.openSecondCheckout(member, testPrices.monthly),
    ]
    for (const page of pages) await payments.controls.completeCheckout(page)
    await payments.settle()
    const { code, printed } = await run(['report'], null)
    expect(code).toBe(0)
    expect(printed).toMatch(
      /refunded \$4\.99 \(paid-twice\): customer cus_\w+, invoice in_\w+, payment pi_\w+, refund re_\w+\n/,
    )
    expect(printed).toContain('0 failed, 0 to refund by hand, 1 refunded.\n')
  })
})
