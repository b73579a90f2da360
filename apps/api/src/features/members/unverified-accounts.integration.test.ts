import { describe, expect } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { createTestDiscussion } from '#test/content/discussion.ts'
import { mailTest } from '#test/fixtures.ts'
import { createTestMembers, type TestMember } from '#test/membership.ts'
import { metricValues } from '#test/metric-values.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'
import { waitOptions } from '#test/wait-options.ts'

const dayMs = 24 * 3600 * 1000
const words = 'Do you want to keep your account?'
const log = createCapturedLog()
const it = mailTest({ overrides: { logger: log.logger } })
  .extend('discussion', { scope: 'file' }, ({ members }) => createTestDiscussion(members))
  // Moves the clock and runs the hourly clean-up twice concurrently, as two workers do.
  .extend('afterDays', { scope: 'file' }, ({ site, flows }) => async (days: number) => {
    site.clock.pass(days * dayMs)
    await Promise.all([site.context.removeOld(), site.context.removeOld()])
    await flows.mailed()
  })
  .extend('removedCount', { scope: 'file' }, ({ site }) => async (): Promise<number> => {
    const values = await metricValues(site.context.metrics, 'tidings_unverified_accounts_removed_total')
    return values[0]?.value ?? 0
  })
  .extend('exists', { scope: 'file' }, ({ db }) => async ({ memberId }: TestMember): Promise<boolean> => {
    return (await db.member.count({ where: { id: memberId } })) === 1
  })

describe('an account whose address was never verified', () => {
  it('is removed after 30 days, seven days after one warning', async ({
    members,
    inbox,
    afterDays,
    removedCount,
    exists,
  }) => {
    const member = await members.signUp({ email: 'gone@example.com' })
    await afterDays(22)
    expect(await inbox.mailsTo(member.email, words)).toEqual([])
    await afterDays(1)
    const mail = await inbox.mailTo(member.email, words)
    expect(mail.text).toContain('Deleted after: December 20, 2026')
    await afterDays(6.9)
    expect(await exists(member)).toBe(true)
    const before = await removedCount()
    await afterDays(0.2)
    expect(await exists(member)).toBe(false)
    expect(await inbox.mailsTo(member.email, words)).toHaveLength(1)
    expect((await removedCount()) - before).toBe(1)
    const lines = log.lines.filter((line) => line.includes('unverified accounts removed'))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(member.memberId)
    expect(lines[0]).not.toContain(member.email)
  })

  it('is never removed before its warning was sent seven days ago', async ({
    site,
    members,
    afterDays,
    exists,
  }) => {
    const member = await members.signUp({ email: 'late@example.com' })
    await afterDays(100)
    expect(await exists(member)).toBe(true)
    const { db } = site.context.database
    const where = { recipient: member.email, kind: 'account-expiring' }
    await db.outboxEmail.updateMany({ where, data: { sentAt: null } })
    await afterDays(8)
    expect(await exists(member)).toBe(true)
    await db.outboxEmail.updateMany({ where, data: { sentAt: site.clock.now() } })
    await afterDays(6)
    expect(await exists(member)).toBe(true)
  })

  it('stays when it is used after the warning', async ({ members, afterDays, exists }) => {
    const member = await members.signUp({ email: 'back@example.com' })
    await afterDays(23)
    await members.logIn(member)
    await afterDays(30)
    expect(await exists(member)).toBe(true)
  })

  it('stays without a warning when it is verified later, pays or was used', async ({
    site,
    db,
    members,
    discussion,
    inbox,
    afterDays,
    exists,
  }) => {
    const { id: postId } = await discussion.post(await members.signUp(), 'kept', 'A post')
    const uses: Record<string, (member: TestMember) => Promise<unknown>> = {
      verified: ({ memberId: id }) => db.member.update({ where: { id }, data: { verified: true } }),
      'payment-customer': ({ memberId: id }) =>
        db.member.update({ where: { id }, data: { stripeCustomerId: `cus_${id}` } }),
      'canceled-plan': ({ memberId }) => addCanceledPlan(site, memberId),
      post: (member) => discussion.post(member, 'kept', 'A post'),
      reply: (member) => discussion.thread(member, postId, 'A reply'),
      vote: (member) => discussion.vote(member, postId, 'UP'),
      json: ({ headers }) => members.call('POST', '/member/json', { headers, body: { json: { a: 1 } } }),
    }
    const usesOnTheNextDay: typeof uses = {
      login: (member) => members.logIn(member),
      call: ({ headers, memberId }) => useAndWait(site, { headers, memberId }),
    }
    const accounts: Record<string, TestMember> = {}
    for (const name of [...Object.keys(uses), ...Object.keys(usesOnTheNextDay)]) {
      accounts[name] = await members.signUp({ email: `${name}@example.com` })
    }
    for (const [name, member] of Object.entries(accounts)) await uses[name]?.(member)
    site.clock.pass(dayMs)
    for (const [name, member] of Object.entries(accounts)) await usesOnTheNextDay[name]?.(member)
    await afterDays(23)
    await afterDays(8)
    for (const [name, member] of Object.entries(accounts)) {
      expect(await exists(member), name).toBe(true)
      expect(await inbox.mailsTo(member.email, words), name).toEqual([])
    }
  })

  it('keeps an account that writes a comment at the same time', async ({
    site,
    members,
    discussion,
    afterDays,
    exists,
  }) => {
    const member = await members.signUp({ email: 'moment@example.com' })
    const { id } = await discussion.post(await members.signUp(), 'moment', 'A post')
    await afterDays(23)
    const client = await site.context.database.pool.connect()
    await client.query('BEGIN')
    await client.query(
      `INSERT INTO comment_thread (id, post_id, member_id, content, created_at) VALUES ('cmt_moment', $1, $2, 'x', now())`,
      [id, member.memberId],
    )
    await afterDays(8)
    await client.query('COMMIT')
    client.release()
    await afterDays(1)
    expect(await exists(member)).toBe(true)
  })

  it('stays when UNVERIFIED_DAYS is 0', async ({ site, members, afterDays, exists }) => {
    const off = await startTestApp({
      databaseUrl: site.context.config.database.url,
      env: { UNVERIFIED_DAYS: '0' },
      working: false,
    })
    const member = await members.signUp({ email: 'off@example.com' })
    await afterDays(23)
    off.clock.pass(site.clock.now().getTime() - off.clock.now().getTime() + 10 * dayMs)
    await off.context.removeOld()
    await off.close()
    expect(await exists(member)).toBe(true)
  })
})

async function addCanceledPlan({ context, clock }: TestApp, memberId: string): Promise<void> {
  await context.database.db.planConnection.create({
    data: {
      id: `con_${memberId.slice(4)}`,
      memberId,
      planId: 'pln_paid',
      priceId: 'prc_paid',
      type: 'subscription',
      status: 'CANCELED',
      active: false,
      createdAt: clock.now(),
    },
  })
}

/** Calls the API as the member, and waits until the use is recorded in the background. */
async function useAndWait(
  site: TestApp,
  { headers, memberId }: Pick<TestMember, 'headers' | 'memberId'>,
): Promise<void> {
  await createTestMembers(site).call('GET', '/member', { headers })
  const { db } = site.context.database
  await expect
    .poll(
      async () => (await db.member.findUniqueOrThrow({ where: { id: memberId } })).lastUsedAt,
      waitOptions,
    )
    .toEqual(site.clock.now())
}
