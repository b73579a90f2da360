import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { createTestDiscussion } from '#test/discussion.ts'
import { type MailSite, startMailSite } from '#test/mail-site.ts'
import type { TestMember } from '#test/membership.ts'
import { metricValues } from '#test/metric-values.ts'
import { startTestApp } from '#test/test-app.ts'

const dayMs = 24 * 3600 * 1000
const words = 'Do you want to keep your account?'
const log = createCapturedLog()

let mailSite: MailSite
let site: MailSite['site']
let members: MailSite['flows']['members']
beforeAll(async () => {
  mailSite = await startMailSite({ overrides: { logger: log.logger } })
  site = mailSite.site
  members = mailSite.flows.members
})
afterAll(() => mailSite.close())

/** Moves the clock and runs the hourly clean-up twice concurrently, as two workers do. */
async function afterDays(days: number): Promise<void> {
  site.clock.pass(days * dayMs)
  await Promise.all([site.context.removeOld(), site.context.removeOld()])
  await mailSite.flows.mailed()
}

async function removed(): Promise<number> {
  const values = await metricValues(site.context.metrics, 'tidings_unverified_accounts_removed_total')
  return values[0]?.value ?? 0
}

async function isThere({ memberId }: TestMember): Promise<boolean> {
  return (await site.context.database.db.member.count({ where: { id: memberId } })) === 1
}

describe('an account whose address was never verified', () => {
  it('is removed after 30 days, seven days after one warning', async () => {
    const member = await members.signUp({ email: 'gone@example.com' })
    await afterDays(22)
    expect(await mailSite.inbox.mailsTo(member.email, words)).toEqual([])
    await afterDays(1)
    const mail = await mailSite.inbox.mailTo(member.email, words)
    expect(mail.text).toContain('Deleted after: December 20, 2026')
    await afterDays(6.9)
    expect(await isThere(member)).toBe(true)
    const before = await removed()
    await afterDays(0.2)
    expect(await isThere(member)).toBe(false)
    expect(await mailSite.inbox.mailsTo(member.email, words)).toHaveLength(1)
    expect((await removed()) - before).toBe(1)
    const lines = log.lines.filter((line) => line.includes('unverified accounts removed'))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(member.memberId)
    expect(lines[0]).not.toContain(member.email)
  })

  it('is never removed before its warning was sent seven days ago', async () => {
    const member = await members.signUp({ email: 'late@example.com' })
    await afterDays(100)
    expect(await isThere(member)).toBe(true)
    const { db } = site.context.database
    const where = { recipient: member.email, kind: 'account-expiring' }
    await db.outboxEmail.updateMany({ where, data: { sentAt: null } })
    await afterDays(8)
    expect(await isThere(member)).toBe(true)
    await db.outboxEmail.updateMany({ where, data: { sentAt: site.clock.now() } })
    await afterDays(6)
    expect(await isThere(member)).toBe(true)
  })

  it('stays when it is used after the warning', async () => {
    const member = await members.signUp({ email: 'back@example.com' })
    await afterDays(23)
    await members.logIn(member)
    await afterDays(30)
    expect(await isThere(member)).toBe(true)
  })

  it.each<[string, (member: TestMember) => Promise<unknown>]>([
    ['is verified', ({ memberId }) => change(memberId, { verified: true })],
    ['has a payment customer', ({ memberId }) => change(memberId, { stripeCustomerId: `cus_${memberId}` })],
    ['had a paid plan', hadPlan],
    ['logged in on the next day', logInNextDay],
    ['was used on the next day', useNextDay],
    ['wrote a comment', (member) => discussion().post(member, 'kept', 'A post')],
    ['replied to a comment', reply],
    ['voted for a comment', vote],
    [
      'has JSON',
      ({ headers }) => members.call('POST', '/member/json', { headers, body: { json: { a: 1 } } }),
    ],
  ])('stays without a warning when it %s', async (what, act) => {
    const member = await members.signUp({ email: `${what.replaceAll(' ', '-')}@example.com` })
    await act(member)
    await afterDays(23)
    await afterDays(8)
    expect(await isThere(member)).toBe(true)
    expect(await mailSite.inbox.mailsTo(member.email, words)).toEqual([])
  })

  it('keeps an account that writes a comment at the same time', async () => {
    const member = await members.signUp({ email: 'moment@example.com' })
    const { id } = await discussion().post(await members.signUp(), 'moment', 'A post')
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
    expect(await isThere(member)).toBe(true)
  })

  it('stays when UNVERIFIED_DAYS is 0', async () => {
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
    expect(await isThere(member)).toBe(true)
  })
})

const discussion = () => createTestDiscussion(members)

async function change(id: string, data: { verified?: boolean; stripeCustomerId?: string }): Promise<void> {
  await site.context.database.db.member.update({ where: { id }, data })
}

async function hadPlan({ memberId }: TestMember): Promise<void> {
  await site.context.database.db.planConnection.create({
    data: {
      id: `con_${memberId.slice(4)}`,
      memberId,
      planId: 'pln_paid',
      priceId: 'prc_paid',
      type: 'subscription',
      status: 'CANCELED',
      active: false,
      createdAt: site.clock.now(),
    },
  })
}

async function logInNextDay(member: TestMember): Promise<void> {
  site.clock.pass(dayMs)
  await members.logIn(member)
}

async function useNextDay({ headers, memberId }: TestMember): Promise<void> {
  site.clock.pass(dayMs)
  await members.call('GET', '/member', { headers })
  const { db } = site.context.database
  // The use is recorded in the background.
  await expect
    .poll(async () => (await db.member.findUniqueOrThrow({ where: { id: memberId } })).lastUsedAt)
    .toEqual(site.clock.now())
}

async function reply(member: TestMember): Promise<void> {
  const { id } = await discussion().post(await members.signUp(), 'kept', 'A post')
  await discussion().thread(member, id, 'A reply')
}

async function vote(member: TestMember): Promise<void> {
  const { id } = await discussion().post(await members.signUp(), 'kept', 'A post')
  await discussion().vote(member, id, 'UP')
}
