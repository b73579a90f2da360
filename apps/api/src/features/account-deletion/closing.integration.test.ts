import { describe, expect } from 'vitest'
import { createTestDiscussion } from '#test/content/discussion.ts'
import { refusalOf } from '#test/desk.ts'
import { paymentMailTest } from '#test/fixtures.ts'
import { createDeletionActions, type PayingMember } from '#test/payments/deletion-actions.ts'
import { overtake } from '#test/row-locks.ts'
import { createCodeFlows } from '#test/sign-in/code-flows.ts'
import { waitOptions } from '#test/wait-options.ts'

const minuteMs = 60_000
const dayMs = 24 * 3_600_000
const refunded = { amount: 499, currency: 'usd', status: 'refunded' }

const it = paymentMailTest()
  .extend('accounts', { scope: 'file' }, createDeletionActions)
  .extend('flows', { scope: 'file' }, ({ site, inbox }) => createCodeFlows(site, inbox))
  .extend('sweep', { scope: 'file' }, ({ site }) => site.context.accountDeletion.sweep)
  /** Returns a subscriber. Webhooks are off then, so that syncs settle nothing that is left to the deletion. */
  .extend('subscribe', { scope: 'file' }, ({ payments, accounts }) => async () => {
    await payments.controls.setWebhooks({ mode: 'on' })
    const member = await accounts.subscribe()
    await payments.controls.setWebhooks({ mode: 'off' })
    return member
  })
  /** Deletes an account while every call to Stripe about it fails. */
  .extend('beginClosing', { scope: 'file' }, ({ accounts }) => async (member: PayingMember) => {
    await accounts.failCalls(member.customer)
    expect((await accounts.delete(member)).statusCode).toBe(200)
  })
  /** Makes Stripe available again and runs the sweep once the next attempt is due. */
  .extend('recover', { scope: 'file' }, ({ accounts, payments, sweep }) => async () => {
    await payments.controls.clearFaults()
    await accounts.pass(10 * minuteMs)
    await sweep()
  })

it.beforeEach(async ({ payments }) => {
  await payments.controls.clearFaults()
})

describe('an account that is deleted while Stripe is unavailable', () => {
  it('is closed after a day, and the renewal of that day is refunded', async ({
    accounts,
    subscribe,
    payments,
    actions,
    members,
    inbox,
    sweep,
    recover,
  }) => {
    const ann = await subscribe()
    const [{ current_period_end: end = 0 } = {}] = (await actions.subscriptionOf(ann)).items.data
    await accounts.pass(end * 1_000 - payments.site.clock.now().getTime() - dayMs / 2)
    await accounts.failCalls(ann.customer)
    const headers = members.headersOf(await members.logIn(ann))
    expect((await accounts.delete({ headers })).statusCode).toBe(200)
    expect(await accounts.exists(ann)).toBe(false)
    for (let hour = 0; hour < 24; hour += 8) {
      await accounts.pass(dayMs / 3)
      await sweep()
    }
    await actions.waitForEmails()
    const [mail] = await inbox.mailsTo(ann.email, 'We’re closing')
    expect(mail?.text).toContain('We are closing your account.')
    expect(mail?.text).toContain('We’re still settling your Monthly plan')
    expect(mail?.text).not.toContain('refund of')
    expect(await accounts.statusesOf(ann.customer)).toEqual(['active'])

    await recover()
    expect(await accounts.statusesOf(ann.customer)).toEqual(['canceled'])
    expect(await accounts.chargesOf(ann.customer)).toEqual([
      [499, true],
      [499, false],
    ])
    expect(await accounts.emailsTo(ann)).toEqual([
      { kind: 'account-closing', data: { planName: 'Monthly', refunds: [] } },
      {
        kind: 'account-deleted',
        data: { planName: 'Monthly', refunds: [refunded], customer: 'deleted' },
      },
    ])
    expect(await accounts.deletionOf(ann)).toBeNull()
  })

  it('mentions no payment to an address that was never proved, and tells a former one that was', async ({
    accounts,
    subscribe,
    db,
    sweep,
    beginClosing,
    recover,
  }) => {
    const [kim, lou] = [await subscribe(), await subscribe()]
    await db.member.update({ where: { id: kim.memberId }, data: { verified: false } })
    const moved = { email: `moved-${lou.email}`, formerEmail: lou.email, verified: false }
    await db.member.update({ where: { id: lou.memberId }, data: moved })
    for (const member of [kim, lou]) await beginClosing(member)
    await accounts.pass(11 * minuteMs)
    await sweep()
    await recover()
    expect(await accounts.emailsTo(kim)).toEqual([
      { kind: 'account-deleted', data: { planName: null, refunds: [], customer: null } },
    ])
    expect(await accounts.emailsTo(moved)).toEqual([])
    expect(await accounts.emailsTo(lou)).toMatchObject([
      { kind: 'account-closing', data: { planName: 'Monthly' } },
      { kind: 'account-deleted', data: { planName: 'Monthly', refunds: [refunded] } },
    ])
  })

  it('has its address taken until then, and gets no codes', async ({
    subscribe,
    members,
    flows,
    inbox,
    actions,
    beginClosing,
    recover,
  }) => {
    const bea = await subscribe()
    const cam = await members.signUp()
    const { email } = bea
    await beginClosing(bea)
    const signUp = async () =>
      members.call('POST', '/auth/signup', { body: { email, password: 'a-long-password' } })
    expect(refusalOf(await signUp())).toMatchObject({ status: 409, code: 'email-already-in-use' })
    const login = await members.call('POST', '/auth/login', { body: { email, password: bea.password } })
    expect(refusalOf(login)).toMatchObject({ status: 401, code: 'invalid-credentials' })
    const change = await members.call('POST', '/member-auth', { headers: cam.headers, body: { email } })
    expect(refusalOf(change)).toMatchObject({ status: 409, code: 'email-already-in-use' })
    await flows.mailed()
    await actions.waitForEmails()
    const before = (await inbox.mailsTo(email)).length
    for (const purpose of ['reset', 'login', 'signup'] as const) {
      const [held, unknown] = [await flows.ask(purpose, email), await flows.ask(purpose, 'x@example.com')]
      expect([held.statusCode, held.json()]).toEqual([unknown.statusCode, unknown.json()])
    }
    await flows.mailed()
    await actions.waitForEmails()
    expect(await inbox.mailsTo(email)).toHaveLength(before)

    await recover()
    expect((await signUp()).statusCode).toBe(200)
  })

  it('has its address taken from a sign-up that waits for the deletion', async ({ members, site, db }) => {
    const { memberId, email } = await members.signUp()
    const reply = await overtake(site, {
      sql: `WITH held AS (
          INSERT INTO account_deletion (member_id, app_id, customer_id, email, is_proved, requested_at, next_attempt_at)
          SELECT id, app_id, 'cus_race', email, false, now(), now() + interval '1 year' FROM member WHERE id = $1
        ) DELETE FROM member WHERE id = $1`,
      values: [memberId],
      begin: () => members.call('POST', '/auth/signup', { body: { email, password: 'a-long-password' } }),
    })
    expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'email-already-in-use' })
    expect(await db.member.count({ where: { email } })).toBe(0)
  })

  it('has no other data left, as deleted members', async ({
    subscribe,
    site,
    members,
    beginClosing,
    recover,
  }) => {
    const eli = await subscribe()
    const discussion = createTestDiscussion(members)
    const { id } = await discussion.post(eli, 'closing', 'A post of Eli')
    await discussion.vote(eli, id, 'UP')
    await beginClosing(eli)
    const { rows } = await site.context.database.pool.query(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    )
    const holding: string[] = []
    for (const { name } of rows) {
      const sql = `SELECT 1 FROM "${name}" held WHERE strpos(held::text, $1) > 0 LIMIT 1`
      const { rowCount } = await site.context.database.pool.query(sql, [eli.memberId])
      if (rowCount !== 0) holding.push(name)
    }
    expect(holding).toEqual(['account_deletion'])
    expect((await discussion.posts('closing')).posts).toEqual([])
    await recover()
  })

  it('does not count for a plan that is full', async ({ subscribe, db, beginClosing, recover }) => {
    const dan = await subscribe()
    await beginClosing(dan)
    expect(await db.planConnection.count({ where: { memberId: dan.memberId } })).toBe(0)
    await recover()
  })
})

it('tells the refund that was made while the customer could not be removed yet', async ({
  accounts,
  subscribe,
  actions,
  payments,
  inbox,
  sweep,
  recover,
}) => {
  const eva = await subscribe()
  await payments.controls.addFault({
    kind: 'server-error',
    match: `DELETE /v1/customers/${eva.customer}`,
    times: 1_000,
  })
  // Within the minute that Stripe's clock may be behind ours.
  await accounts.delete(eva)
  await accounts.pass(11 * minuteMs)
  await sweep()
  // The job may have begun the attempt that the sweep would make.
  const closing = async () => {
    await actions.waitForEmails()
    return (await inbox.mailsTo(eva.email, 'We’re closing')).map(({ text }) => text)
  }
  await expect
    .poll(closing, waitOptions)
    .toEqual([expect.stringContaining('Your refund of $4.99 is on its way.')])
  await recover()
  expect(await accounts.chargesOf(eva.customer)).toEqual([[499, true]])
  expect(await accounts.emailsTo(eva)).toMatchObject([
    { kind: 'account-closing', data: { refunds: [refunded] } },
    { kind: 'account-deleted', data: { refunds: [refunded], customer: 'deleted' } },
  ])
})

it('withdraws the email that the account is being closed when it is closed first', async ({
  accounts,
  subscribe,
  payments,
  actions,
  site,
  sweep,
  db,
  beginClosing,
}) => {
  const fay = await subscribe()
  await beginClosing(fay)
  await accounts.pass(11 * minuteMs)
  await sweep()
  await actions.waitForEmails()
  // As if the mail server had been unavailable.
  await db.outboxEmail.updateMany({
    where: { recipient: fay.email, kind: 'account-closing' },
    data: { sentAt: null },
  })
  await payments.controls.clearFaults()
  await site.context.accountDeletion.close(fay.memberId)
  expect((await accounts.emailsTo(fay)).map(({ kind }) => kind)).toEqual(['account-deleted'])
})

it('is found by the sweep when the job was lost', async ({ accounts, subscribe, beginClosing, recover }) => {
  const gus = await subscribe()
  await beginClosing(gus)
  await accounts.loseJobs()
  await recover()
  expect(await accounts.deletionOf(gus)).toBeNull()
  expect(await accounts.statusesOf(gus.customer)).toEqual(['canceled'])
})

it('keeps earlier payments when a sync cancels the subscription first', async ({
  accounts,
  subscribe,
  payments,
  site,
  sweep,
  beginClosing,
}) => {
  const hal = await subscribe()
  await accounts.pass(10 * minuteMs)
  await beginClosing(hal)
  await accounts.loseJobs()
  await payments.controls.clearFaults()
  await site.context.subscriptionSync.sync(hal.customer)
  await accounts.pass(11 * minuteMs)
  await sweep()
  expect(await accounts.statusesOf(hal.customer)).toEqual(['canceled'])
  expect(await accounts.chargesOf(hal.customer)).toEqual([[499, false]])
})
