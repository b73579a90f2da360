import { describe, expect, onTestFinished } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { refusalOf } from '#test/desk.ts'
import { paymentTest } from '#test/fixtures.ts'
import { createTestMembers } from '#test/membership.ts'
import { testPrices } from '#test/sites/payment-site.ts'
import { useTestApp } from '#test/test-app.ts'

const otherKey = 'sk_test_other'

const it = paymentTest()
  .extend('ann', { scope: 'file' }, ({ actions }) => actions.subscriber())
  /** Starts another process of the same site, without workers, until the test ends. */
  .extend(
    'startProcess',
    { scope: 'file' },
    ({ payments, site }) =>
      async (env: Record<string, string> = {}) => {
        const log = createCapturedLog()
        const other = await useTestApp({
          databaseUrl: payments.databaseUrl,
          env: { ...payments.env, ...env },
          working: false,
          overrides: { logger: log.logger, clock: site.clock },
        })
        return { ...other, log, members: createTestMembers(other) }
      },
  )
  /** Returns the rows and subscriptions that a wrong key must not change. */
  .extend('state', { scope: 'file' }, ({ stripe, db }) => async () => ({
    plans: await db.planConnection.findMany({ orderBy: { id: 'asc' } }),
    customers: await db.paymentCustomer.findMany({ select: { id: true, memberId: true } }),
    members: await db.member.findMany({
      select: { id: true, stripeCustomerId: true },
      orderBy: { id: 'asc' },
    }),
    prices: await db.stripePrice.findMany({ orderBy: { id: 'asc' } }),
    account: await db.paymentAccount.findMany(),
    mails: await db.outboxEmail.count(),
    subscriptions: (await stripe.subscriptions.list({ status: 'all' })).data,
  }))
  /** Makes the database belong to a mode of the account until the test ends. */
  .extend(
    'useMode',
    { scope: 'file' },
    ({ db }) =>
      async ({ livemode }: { livemode: boolean }): Promise<void> => {
        await db.paymentAccount.updateMany({ data: { livemode } })
        onTestFinished(async () => void (await db.paymentAccount.updateMany({ data: { livemode: false } })))
      },
  )

it.beforeAll(({ payments }) => payments.controls.addKey(otherKey))

describe.each([
  ['account', { STRIPE_SECRET_KEY: otherKey }, { livemode: false }],
  ['mode', {}, { livemode: true }],
] as const)('a process with a key of another %s', (_what, env, mode) => {
  it('rejects every operation, changes nothing and sends no email', async ({
    actions,
    members,
    ann,
    startProcess,
    state,
    useMode,
  }) => {
    await useMode(mode)
    const bea = await members.signUp()
    const before = await state()
    const { context, members: otherMembers, log } = await startProcess(env)
    const customerId = await actions.customerOf(ann)
    for (const work of [
      () => context.reconciliation.reconcile(),
      () => context.subscriptionSync.sync(customerId),
      () => context.syncCatalog(() => {}),
    ]) {
      await expect(work()).rejects.toThrow(
        /^This database belongs to Stripe account acct_\w+ \(\w+ mode\), but/,
      )
    }
    for (const [member, method, url, body] of [
      [bea, 'POST', '/member/plans/create-checkout-session', { priceId: testPrices.monthly }],
      [ann, 'POST', '/member/create-billing-portal-session', {}],
      [ann, 'POST', '/member/plans/change', { priceId: testPrices.yearly }],
    ] as const) {
      const reply = await otherMembers.call(method, url, { headers: member.headers, body })
      expect([url, refusalOf(reply).code]).toEqual([url, 'configuration-error'])
    }
    expect(await state()).toEqual(before)

    const [error] = log.entries().filter(({ level }) => level >= 50)
    expect(error).toMatchObject({
      msg: 'payment account mismatch',
      stored: { id: expect.stringMatching(/^acct_/), isLive: expect.any(Boolean) },
      found: { id: expect.stringMatching(/^acct_/), isLive: false },
    })
    expect(log.lines.join()).not.toContain(otherKey)
  })

  it('keeps a pending sync for a process with the right key', async ({
    payments,
    actions,
    site,
    db,
    ann,
    startProcess,
    useMode,
  }) => {
    const { context } = await startProcess(env)
    const customerId = await actions.customerOf(ann)
    await useMode(mode)
    await db.paymentCustomer.update({
      where: { id: customerId },
      data: { syncRequestedAt: site.clock.now() },
    })
    await expect(context.subscriptionSync.sync(customerId)).rejects.toThrow('belongs to Stripe account')
    const row = await db.paymentCustomer.findUniqueOrThrow({ where: { id: customerId } })
    expect(row).toMatchObject({ syncRequestedAt: site.clock.now(), leasedUntil: null })
    await db.paymentAccount.updateMany({ data: { livemode: false } })
    await site.context.subscriptionSync.sync(customerId)
    await payments.settle()
  })
})

describe('the account check', () => {
  it('runs with the first call, and again only after a failure', async ({ payments, ann, startProcess }) => {
    const { members } = await startProcess()
    const visit = { headers: ann.headers, body: {} }
    const portal = () => members.call('POST', '/member/create-billing-portal-session', visit)
    await payments.controls.addFault({ kind: 'server-error', match: 'GET /v1/account', times: 2 })
    expect(refusalOf(await portal())).toMatchObject({ status: 503, code: 'payments-unavailable' })
    expect((await portal()).statusCode).toBe(200)
    // A check that has passed is not repeated.
    await payments.controls.addFault({ kind: 'server-error', match: 'GET /v1/account', times: 2 })
    expect((await portal()).statusCode).toBe(200)
    await payments.controls.clearFaults()
  })

  it('passes with a restricted key that cannot read the account', async ({
    payments,
    actions,
    ann,
    startProcess,
  }) => {
    const { context } = await startProcess()
    await payments.controls.addFault({ kind: 'forbidden', match: 'GET /v1/account' })
    await expect(context.subscriptionSync.sync(await actions.customerOf(ann))).resolves.toEqual([])
  })
})

describe('POST /webhooks/stripe', () => {
  it.for([
    ['of another mode', { livemode: true }],
    ['of a connected account', { account: 'acct_connected' }],
  ] as const)('ignores an event %s', async ([_what, origin], { actions, db, ann }) => {
    const customer = await actions.customerOf(ann)
    const [event] = await actions.eventsOf(customer)
    const reply = await actions.deliver({ ...event, ...origin, id: `evt_${Object.keys(origin)}` })
    expect(reply.statusCode).toBe(200)
    expect(await db.paymentEvent.count({ where: { id: `evt_${Object.keys(origin)}` } })).toBe(0)
  })
})

describe('syncCatalog', () => {
  it('binds a new database to an account only if the account has its prices', async ({
    site,
    db,
    startProcess,
  }) => {
    const [own] = await db.paymentAccount.findMany()
    await db.paymentAccount.deleteMany()
    const other = await startProcess({ STRIPE_SECRET_KEY: otherKey })
    await expect(other.context.syncCatalog(() => {})).rejects.toThrow(/^Stripe account acct_\w+ doesn't have/)
    expect(await db.paymentAccount.count()).toBe(0)
    await site.context.syncCatalog(() => {})
    expect(await db.paymentAccount.findMany()).toMatchObject([{ accountId: own?.accountId, livemode: false }])
  })
})

describe('a payment customer', () => {
  const portal = '/member/create-billing-portal-session'
  const checkout = '/member/plans/create-checkout-session'

  it('that Stripe does not know is an error, closes no plan and keeps the mapping', async ({
    actions,
    db,
    startProcess,
  }) => {
    const eva = await actions.subscriber()
    // Stripe has no such customer.
    await db.paymentCustomer.update({ where: { memberId: eva.memberId }, data: { id: 'cus_unknown' } })
    await db.member.update({ where: { id: eva.memberId }, data: { stripeCustomerId: 'cus_unknown' } })
    const { context, members: otherMembers, log } = await startProcess()
    for (const [method, url, body] of [
      ['POST', portal, {}],
      ['POST', checkout, { priceId: testPrices.yearly }],
    ] as const) {
      const reply = await otherMembers.call(method, url, { headers: eva.headers, body })
      expect([url, refusalOf(reply).code]).toEqual([url, 'payments-refused'])
    }
    const { changes } = await context.reconciliation.reconcile()
    expect(changes).toEqual([])
    expect(log.lines.join()).toContain('cus_unknown')
    const reply = await otherMembers.call('GET', '/member', { headers: eva.headers })
    expect(reply.json().data).toMatchObject({
      stripeCustomerId: 'cus_unknown',
      permissions: ['paid'],
      planConnections: [{ active: true }],
    })
    await db.member.delete({ where: { id: eva.memberId } })
    await db.paymentCustomer.delete({ where: { id: 'cus_unknown' } })
  })

  it('that was deleted at Stripe has no plan, keeps the mapping and cannot pay', async ({
    payments,
    actions,
    stripe,
    startProcess,
  }) => {
    const fay = await actions.subscriber()
    const customer = await actions.customerOf(fay)
    await stripe.customers.del(customer)
    await payments.settle()
    const { members: otherMembers, log } = await startProcess()
    for (const [url, body] of [
      [portal, {}],
      [checkout, { priceId: testPrices.monthly }],
    ] as const) {
      const reply = await otherMembers.call('POST', url, { headers: fay.headers, body })
      expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'billing-account-closed' })
    }
    expect(log.lines.join()).toContain('payment customer deleted')
    expect(await payments.memberOf(fay)).toMatchObject({
      stripeCustomerId: customer,
      permissions: [],
      planConnections: [{ active: false, status: 'CANCELED' }],
    })
    expect((await otherMembers.call('DELETE', '/member', { headers: fay.headers })).statusCode).toBe(200)
  })
})
