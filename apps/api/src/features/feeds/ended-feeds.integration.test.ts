import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'

const it = siteTest({ env: { SITE_GATE: 'off' } }).extend(
  'feeds',
  { scope: 'file' },
  ({ site, members }) => ({
    async create({ headers }: Pick<TestMember, 'headers'>): Promise<string> {
      const { data } = (await members.call('POST', '/member/feed', { headers })).json()
      return new URL(data.json).pathname
    },
    read: (path: string) => site.app.inject({ url: path }),
    async login({ email, password }: TestMember) {
      const reply = await members.call('POST', '/auth/login', { body: { email, password } })
      expect(reply.statusCode).toBe(200)
      return members.headersOf(reply.json().data)
    },
  }),
)

const next = 'another-long-password'

describe('a feed address', () => {
  it.for([
    ['the password changes', 'POST', '/member-auth', { newPassword: next }],
    ['all devices are logged out', 'DELETE', '/member/sessions', null],
    ['the address changes', 'POST', '/member-auth', { email: 'moved@example.com' }],
  ] as const)('ends when %s, and a new one works', async (row, { members, feeds, db }) => {
    const [_what, method, url, body] = row
    const member = await members.signUp()
    const path = await feeds.create(member)
    const oldPassword = member.password
    const change = body !== null && 'newPassword' in body ? { ...body, oldPassword } : body
    expect((await feeds.read(path)).statusCode).toBe(200)

    const reply = await members.call(method, url, {
      headers: member.headers,
      ...(change !== null && { body: change }),
    })

    expect(reply.statusCode).toBe(200)
    const refusal = refusalOf(await feeds.read(path))
    expect(refusal).toMatchObject({ status: 404, code: 'feed-not-found' })
    expect(refusal.message).toContain('create a new one')
    expect(await db.memberFeed.count({ where: { memberId: member.memberId } })).toBe(0)
    expect((await feeds.read(await feeds.create(member))).statusCode).toBe(200)
  })

  it('stays when one other device is logged out', async ({ members, feeds }) => {
    const member = await members.signUp()
    const other = await feeds.login(member)
    const path = await feeds.create(member)
    expect((await members.call('POST', '/member/logout', { headers: other })).statusCode).toBe(200)
    expect((await feeds.read(path)).statusCode).toBe(200)
  })

  it('is not created by a session that has ended meanwhile', async ({ site, members, feeds, db }) => {
    const member = await members.signUp()
    await feeds.create(member)
    const session = await db.memberSession.findFirstOrThrow({ where: { memberId: member.memberId } })
    await members.call('DELETE', '/member/sessions', { headers: await feeds.login(member) })
    const { appId } = site.context.config.site

    const renewal = site.context.feeds.renew({ id: session.id, memberId: member.memberId, appId })

    await expect(renewal).rejects.toMatchObject({ code: 'client/invalid-token' })
    expect(await db.memberFeed.count({ where: { memberId: member.memberId } })).toBe(0)
  })
})
