import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compileCache } from '#test/compile-cache.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'

const execute = promisify(execFile)
const outcome = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() })
const program = fileURLToPath(new URL('./payments.ts', import.meta.url))

let at: PaymentSite
beforeAll(async () => {
  at = await startPaymentSite()
})
afterAll(() => at.close())

/** Runs the command in its own process. */
async function payments(args: string[], env: Record<string, string> = at.env) {
  try {
    const { stdout, stderr } = await execute(process.execPath, [program, ...args], {
      env: { ...compileCache, DATABASE_URL: at.databaseUrl, ...env },
    })
    return { code: 0, stdout, stderr }
  } catch (error) {
    return outcome.parse(error)
  }
}

describe('payments', () => {
  it('prints its usage', async () => {
    expect(await payments([])).toMatchObject({ code: 0, stdout: expect.stringContaining('payments sync') })
    expect((await payments(['--help'])).stdout).toContain('payments reconcile')
    expect(await payments(['refund'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('payments sync'),
    })
  })

  it.each(['sync', 'reconcile'])('%s names the missing setting', async (command) => {
    expect(await payments([command], {})).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('STRIPE_SECRET_KEY is not set'),
    })
  })
})

describe('payments sync', () => {
  it('changes nothing when it runs again', async () => {
    const { appId } = at.site.context.config.site
    const before = await at.stripe.prices.list({ limit: 100 })
    for (const _run of ['first', 'again']) {
      expect(await payments(['sync'])).toEqual({
        code: 0,
        stdout: `${appId}: 2 prices current\n`,
        stderr: '',
      })
    }
    expect((await at.stripe.prices.list({ limit: 100 })).data).toEqual(before.data)
  })

  it('fails when Stripe fails, without printing the key', async () => {
    const match = 'GET /v1/products'
    await at.controls.addFault({ kind: 'server-error', match, times: 3 })
    const failed = await payments(['sync'])
    expect(failed.code).toBe(1)
    expect(failed.stdout + failed.stderr).not.toContain(at.secretKey)
  })
})

describe('payments reconcile', () => {
  it('prints the number of compared subscriptions and each changed plan', async () => {
    const ann = await at.members.signUp()
    const page = await at.openCheckout(ann, testPrices.monthly)
    await at.controls.setWebhooks({ mode: 'off' })
    await at.controls.completeCheckout(page)
    const first = await payments(['reconcile'])
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toMatch(new RegExp(`^${ann.memberId}: pln_\\S+ changed from none to ACTIVE$`, 'm'))
    expect(first.stdout).toMatch(/^1 subscriptions of 1 customers compared; 1 plans changed\.$/m)
    const again = await payments(['reconcile'])
    expect(again.stdout).toMatch(/^1 subscriptions of 1 customers compared; 0 plans changed\.$/m)
    await at.controls.setWebhooks({ mode: 'on' })
  })

  it('names the customer that it could not reconcile, and fails', async () => {
    const { id: price } = await at.site.context.database.db.stripePrice.findFirstOrThrow()
    const metadata = { app: at.site.context.config.site.appId, member: 'mem_nobody' }
    const { id } = await at.stripe.customers.create({ metadata })
    const trial = { customer: id, items: [{ price }], trial_period_days: 7 }
    const { id: subscription } = await at.stripe.subscriptions.create(trial)
    const failed = await payments(['reconcile'])
    expect(failed).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`${id} was not reconciled: member mem_nobody does not exist`),
    })
    await at.stripe.subscriptions.cancel(subscription)
  })
})

describe('payments with the key of another account', () => {
  it.each(['sync', 'reconcile'])(
    '%s names the account of the database, changes nothing and fails',
    async (command) => {
      const secretKey = 'sk_test_other'
      await at.controls.addKey(secretKey)
      const failed = await payments([command], { ...at.env, STRIPE_SECRET_KEY: secretKey })
      expect(failed.code).toBe(1)
      expect(failed.stderr).toMatch(/This database belongs to Stripe account acct_\w+ \(test mode\), but/)
      expect(failed.stdout + failed.stderr).not.toContain(secretKey)
    },
  )
})

describe('payments report', () => {
  it('lists a refunded payment with its Stripe ids and without the key', async () => {
    const member = await at.members.signUp()
    const pages = [
      await at.openCheckout(member, testPrices.monthly),
      await at.openSecondCheckout(member, testPrices.monthly),
    ]
    for (const page of pages) await at.controls.completeCheckout(page)
    await at.settle()
    const report = await payments(['report'], {})
    expect(report).toMatchObject({ code: 0, stderr: '' })
    expect(report.stdout).toMatch(
      /refunded \$4\.99 \(paid-twice\): customer cus_\w+, invoice in_\w+, payment pi_\w+, refund re_\w+\n/,
    )
    expect(report.stdout).toContain('0 failed, 0 to refund by hand, 1 refunded.\n')
  })
})
