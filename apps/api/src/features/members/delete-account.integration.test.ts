import { memberSchema } from '@tidings/contracts/membership/members'
import { describe, expect } from 'vitest'
import { createTestDiscussion } from '#test/content/discussion.ts'
import { createTestProfileImages, nameIn } from '#test/content/profile-images.ts'
import { refusalOf } from '#test/desk.ts'
import { changeApp } from '#test/factories/app-settings.ts'
import { jpegPicture } from '#test/factories/pictures.ts'
import { testPlans } from '#test/factories/plans.ts'
import { secondProcess, siteTest } from '#test/fixtures.ts'
import { createTestMembers, type TestMember, type TestMembers } from '#test/membership.ts'
import { waitForNotifications } from '#test/other-processes.ts'

const it = siteTest()
  .extend('second', { scope: 'file' }, secondProcess())
  .extend('elsewhere', { scope: 'file' }, ({ second }) => createTestMembers(second))
  .extend('discussion', { scope: 'file' }, ({ members }) => createTestDiscussion(members))
  .extend('images', { scope: 'file' }, ({ site }) => createTestProfileImages(site))
  .extend('leave', { scope: 'file' }, ({ members }) => ({ headers }: Pick<TestMember, 'headers'>) => {
    return members.call('DELETE', '/member', { headers })
  })

  /** Returns the tables that contain this text in any column. */
  .extend('tablesWith', { scope: 'file' }, ({ site }) => async (text: string): Promise<string[]> => {
    const { pool } = site.context.database
    const { rows } = await pool.query(
      `SELECT table_schema AS schema, table_name AS name FROM information_schema.tables
     WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'`,
    )
    const found: string[] = []
    for (const { schema, name } of rows) {
      const sql = `SELECT 1 FROM "${schema}"."${name}" held WHERE strpos(held::text, $1) > 0 LIMIT 1`
      if ((await pool.query(sql, [text])).rowCount !== 0) found.push(name)
    }
    return found.sort()
  })

  /** Signs up a member with rows in every table that stores member data. */
  .extend(
    'signUpBusy',
    { scope: 'file' },
    ({ site, members, images }) =>
      async (email: string): Promise<TestMember & { image: string }> => {
        const member = await members.signUp({
          email,
          customFields: { name: 'Busy', phone: '+1 555 0100' },
          plans: [{ planId: testPlans.free }],
        })
        const { headers, memberId } = member
        const { database, config } = site.context
        await database.db.memberIdentity.create({
          data: { appId: config.site.appId, provider: 'local', subject: `subject of ${email}`, memberId },
        })
        await members.call('POST', '/member/json', { headers, body: { json: { note: 'mine' } } })
        const passwords = { oldPassword: member.password, newPassword: 'a-longer-password' }
        await members.call('POST', '/member-auth', { headers, body: passwords })
        await members.call('POST', '/auth/send-reset-password-email', { body: { email } })
        await members.call('POST', '/comments/channels/manage-subscription', {
          headers,
          body: { channelKey: 'busy', action: 'THREADS_ONLY' },
        })
        await members.call('POST', '/member/feed', { headers: { ...headers, cookie: site.pass } })
        return { ...member, image: await images.set(member, await jpegPicture(60, 60)) }
      },
  )

  /** Returns the account-deleted emails to an address. */
  .extend(
    'deletionEmailsTo',
    { scope: 'file' },
    ({ site }) =>
      async (recipient: string): Promise<unknown[]> => {
        const { db } = site.context.database
        const rows = await db.outboxEmail.findMany({ where: { recipient, kind: 'account-deleted' } })
        return rows.map(({ data }) => data)
      },
  )

async function currentMember({ call }: TestMembers, headers: Record<string, string>): Promise<unknown> {
  const reply = await call('GET', '/member', { headers })
  expect(reply.statusCode).toBe(200)
  return reply.json().data
}

describe('DELETE /member', () => {
  it('sends one email to a verified address and none to an unverified one', async ({
    site,
    members,
    leave,
    deletionEmailsTo,
  }) => {
    const [proved, unproved] = [await members.signUp(), await members.signUp()]
    const { db } = site.context.database
    await db.member.update({ where: { id: proved.memberId }, data: { verified: true } })
    await Promise.all([leave(proved), leave(proved), leave(unproved)])
    expect(await deletionEmailsTo(proved.email)).toEqual([{ planName: null, refunds: [] }])
    expect(await deletionEmailsTo(unproved.email)).toEqual([])
  })

  it('removes all data of the member and nothing of other members', async ({
    members,
    discussion,
    images,
    leave,
    tablesWith,
    signUpBusy,
  }) => {
    const ann = await signUpBusy('ann@example.com')
    const bea = await signUpBusy('bea@example.com')
    const own = await discussion.post(ann, 'news', 'A post of Ann')
    const other = await discussion.post(bea, 'news', 'A post of Bea')
    const below = await discussion.thread(ann, other.id, 'A reply of Ann')
    const beside = await discussion.thread(bea, other.id, 'A reply of Bea')
    await discussion.thread(bea, own.id, 'A reply of Bea to Ann')
    await discussion.vote(bea, own.id, 'UP')
    await discussion.vote(ann, other.id, 'UP')
    await discussion.vote(bea, other.id, 'DOWN')
    await discussion.vote(ann, beside.id, 'UP', 'threads')
    await discussion.vote(bea, below.id, 'UP', 'threads')
    expect((await discussion.posts('news')).posts).toMatchObject([
      { id: other.id, _count: { Threads: 2, likedBy: 1, dislikedBy: 1 } },
      { id: own.id },
    ])
    const before = await currentMember(members, bea.headers)
    expect(await tablesWith(ann.memberId)).toEqual([
      'comment_post',
      'comment_post_vote',
      'comment_subscription',
      'comment_thread',
      'comment_thread_vote',
      'known_source',
      'member',
      'member_feed',
      'member_identity',
      'member_session',
      'plan_connection',
    ])

    const reply = await leave(ann)

    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({ data: { id: ann.memberId } })
    expect(await tablesWith(ann.memberId)).toEqual([])
    expect(await tablesWith('subject of ann@example.com')).toEqual([])
    expect(await images.onDisk()).toEqual([nameIn(bea.image)])
    expect((await images.show(ann.image)).statusCode).toBe(404)

    expect(await currentMember(members, bea.headers)).toEqual(before)
    expect((await images.show(bea.image)).statusCode).toBe(200)
    const { posts, totalCount } = await discussion.posts('news')
    expect(totalCount).toBe(1)
    expect(posts).toMatchObject([{ id: other.id, _count: { Threads: 1, likedBy: 0, dislikedBy: 1 } }])
    expect(await discussion.threads(other.id)).toMatchObject([{ id: beside.id, _count: { likedBy: 0 } }])
  })

  it('ends every code, and the clean-up removes the records of sent emails', async ({
    site,
    leave,
    tablesWith,
    signUpBusy,
  }) => {
    const cy = await signUpBusy('cy@example.com')
    await leave(cy)
    const { db } = site.context.database
    const codes = await db.oneTimeCode.findMany({ where: { email: cy.email } })
    for (const code of codes) expect(code).toMatchObject({ codeHash: null, lookupHash: null })
    for (const table of await tablesWith(cy.email)) {
      expect(['outbox_email', 'one_time_code']).toContain(table)
    }
    const later = new Date(site.clock.now().getTime() + 16 * 24 * 3600 * 1000)
    const now = site.clock.now()
    site.clock.moveTo(later)
    await site.context.removeOld()
    site.clock.moveTo(now)
    expect(await tablesWith(cy.email)).toEqual([])
  })

  it('ends every session at once, on every process', async ({ members, second, elsewhere, leave }) => {
    const dee = await members.signUp()
    const other = members.headersOf(await members.logIn(dee))
    for (const headers of [dee.headers, other]) {
      expect(await currentMember(members, headers)).not.toBeNull()
      expect(await currentMember(elsewhere, headers)).not.toBeNull()
    }
    await leave(dee)
    await waitForNotifications(second)
    for (const process of [members, elsewhere]) {
      for (const headers of [dee.headers, other]) {
        expect(await currentMember(process, headers)).toBeNull()
        const write = await process.call('POST', '/member', { headers, body: { customFields: {} } })
        expect(refusalOf(write)).toMatchObject({ status: 401, code: 'client/invalid-token' })
      }
    }
    const login = await members.call('POST', '/auth/login', {
      body: { email: dee.email, password: dee.password },
    })
    expect(refusalOf(login)).toMatchObject({ status: 401, code: 'invalid-credentials' })
  })

  it('lets the address sign up again as a new member', async ({ members, leave, signUpBusy }) => {
    const eve = await signUpBusy('eve@example.com')
    await leave(eve)
    const again = await members.signUp({ email: 'EVE@example.com' })
    expect(again.memberId).not.toBe(eve.memberId)
    expect(memberSchema.parse(await currentMember(members, again.headers))).toMatchObject({
      auth: { email: 'eve@example.com', providers: [] },
      customFields: {},
      json: {},
      planConnections: [],
      profileImage: null,
    })
  })

  it('succeeds once for concurrent requests', async ({ members, leave }) => {
    const fay = await members.signUp()
    const replies = await Promise.all(Array.from({ length: 5 }, () => leave(fay)))
    const refused = replies.filter(({ statusCode }) => statusCode !== 200)
    expect(refused).toHaveLength(4)
    for (const reply of refused) {
      expect(['client/invalid-token', 'member-not-found']).toContain(refusalOf(reply).code)
    }
    expect(refusalOf(await leave(fay))).toMatchObject({ status: 401, code: 'client/invalid-token' })
  })

  it('concurrently deletes members who replied to each other', async ({ members, discussion, leave }) => {
    const people = await Promise.all(Array.from({ length: 4 }, () => members.signUp()))
    const posts = await Promise.all(people.map((one) => discussion.post(one, 'crowd')))
    for (const one of people) {
      for (const { id } of posts) {
        await discussion.vote(one, id, 'UP')
        await discussion.thread(one, id)
      }
    }
    const [staying, ...leaving] = people
    const replies = await Promise.all(leaving.map(leave))
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    const left = await discussion.posts('crowd')
    expect(left.posts).toMatchObject([
      { member: { id: staying?.memberId }, _count: { Threads: 1, likedBy: 1, dislikedBy: 0 } },
    ])
  })

  it('is refused when the app turns it off', async ({ site, members, leave }) => {
    const gil = await members.signUp()
    await changeApp(site, { allowMemberSelfDelete: false })
    const refusal = refusalOf(await leave(gil))
    await changeApp(site, { allowMemberSelfDelete: true })
    expect(refusal).toMatchObject({ status: 403, code: 'access-denied' })
    expect(await currentMember(members, gil.headers)).toMatchObject({ id: gil.memberId })
  })

  it('needs a session', async ({ members, leave }) => {
    expect(refusalOf(await leave({ headers: members.visitor }))).toMatchObject({
      status: 401,
      code: 'login-required',
    })
  })
})
