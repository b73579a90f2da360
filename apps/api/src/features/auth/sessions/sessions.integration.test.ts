import { sessionsReply } from '@tidings/contracts/membership/members'
import { describe, expect, vi } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { changeApp } from '#test/factories/app-settings.ts'
import { siteTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { testNow } from '#test/test-app.ts'
import { waitOptions } from '#test/wait-options.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const it = siteTest()
  .extend('listSessions', { scope: 'file' }, ({ members }) => async (headers: Record<string, string>) => {
    return sessionsReply.parse((await members.call('GET', '/member/sessions', { headers })).json()).data
  })

  /** Logs the member in again. Returns the headers and the id of the session. */
  .extend(
    'logInAgain',
    { scope: 'file' },
    ({ members, listSessions }) =>
      async ({ email }: TestMember): Promise<{ headers: Record<string, string>; id: string }> => {
        const headers = members.headersOf(await members.logIn({ email }))
        const own = (await listSessions(headers)).find(({ current }) => current)
        if (own === undefined) throw new Error('The session does not list itself')
        return { headers, id: own.id }
      },
  )
  .extend(
    'isLoggedIn',
    { scope: 'file' },
    ({ members }) =>
      async (headers: Record<string, string>): Promise<boolean> => {
        return (await members.call('GET', '/member', { headers })).json().data !== null
      },
  )
  .extend('moveBy', { scope: 'file' }, ({ site }) => (ms: number): void => {
    site.clock.moveTo(new Date(testNow.getTime() + ms))
  })

describe('POST /member/logout', () => {
  it('ends only this session', async ({ members, logInAgain, isLoggedIn }) => {
    const ann = await members.signUp()
    const other = await logInAgain(ann)
    const reply = await members.call('POST', '/member/logout', { headers: ann.headers })
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({
      data: { redirect: null },
      _internalUseOnly: { message: 'You’re logged out.' },
    })
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(await isLoggedIn(ann.headers)).toBe(false)
    expect(await isLoggedIn(other.headers)).toBe(true)
  })

  it('succeeds a second time, without a token and with an invalid one', async ({ members }) => {
    const ann = await members.signUp()
    for (const headers of [
      ann.headers,
      ann.headers,
      members.visitor,
      { ...members.visitor, authorization: 'Bearer garbage' },
    ]) {
      const reply = await members.call('POST', '/member/logout', { headers })
      expect([reply.statusCode, reply.json()._internalUseOnly.message]).toEqual([200, 'You’re logged out.'])
    }
  })

  it("returns the app's logout redirect", async ({ site, members }) => {
    await changeApp(site, { logoutRedirect: 'https://www.example.com/bye' })
    expect((await members.call('POST', '/member/logout')).json().data.redirect).toBe(
      'https://www.example.com/bye',
    )
    await changeApp(site, { logoutRedirect: null })
  })

  it('succeeds for twenty concurrent requests', async ({ members, isLoggedIn }) => {
    const ann = await members.signUp()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => members.call('POST', '/member/logout', { headers: ann.headers })),
    )
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(replies.map(() => 200))
    expect(await isLoggedIn(ann.headers)).toBe(false)
  })
})

describe('GET /member/sessions', () => {
  it("lists the member's active sessions, newest first, and marks the current one", async ({
    members,
    listSessions,
    moveBy,
  }) => {
    const ann = await members.signUp()
    await members.signUp()
    moveBy(hourMs)
    const headers = { ...members.visitor, 'user-agent': `Browser/1 ${'x'.repeat(400)}` }
    const body = { email: ann.email, password: ann.password }
    await members.call('POST', '/auth/login', { headers, body })
    moveBy(0)
    const [newest, first, ...others] = await listSessions(ann.headers)
    expect(others).toEqual([])
    expect(newest).toEqual({
      id: expect.any(String),
      createdAt: new Date(testNow.getTime() + hourMs).toISOString(),
      lastUsedAt: new Date(testNow.getTime() + hourMs).toISOString(),
      expiresAt: new Date(testNow.getTime() + hourMs + 14 * dayMs).toISOString(),
      userAgent: headers['user-agent'].slice(0, 300),
      current: false,
    })
    expect(first).toMatchObject({ createdAt: testNow.toISOString(), current: true })
  })

  it('returns no token', async ({ members }) => {
    const ann = await members.signUp()
    const reply = await members.call('GET', '/member/sessions', { headers: ann.headers })
    expect(reply.body).not.toContain(ann.token)
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it('returns the last use of a session to the hour, even while it is cached', async ({
    members,
    listSessions,
    isLoggedIn,
    moveBy,
  }) => {
    const ann = await members.signUp()
    const lastUse = async () => (await listSessions(ann.headers))[0]?.lastUsedAt
    moveBy(hourMs - 1)
    await isLoggedIn(ann.headers)
    expect(await lastUse()).toBe(testNow.toISOString())
    for (const hours of [1, 2.5, 30]) {
      moveBy(hours * hourMs)
      expect(await isLoggedIn(ann.headers)).toBe(true)
      const expected = new Date(testNow.getTime() + hours * hourMs).toISOString()
      await vi.waitFor(async () => expect(await lastUse()).toBe(expected), waitOptions)
    }
    moveBy(0)
  })
})

describe('DELETE /member/sessions/:id', () => {
  it('ends another session of the member', async ({ members, listSessions, logInAgain, isLoggedIn }) => {
    const ann = await members.signUp()
    const phone = await logInAgain(ann)
    const reply = await members.call('DELETE', `/member/sessions/${phone.id}`, { headers: ann.headers })
    expect([reply.statusCode, reply.json()]).toEqual([200, { data: { id: phone.id } }])
    expect(await isLoggedIn(phone.headers)).toBe(false)
    expect(await isLoggedIn(ann.headers)).toBe(true)
    expect(await listSessions(ann.headers)).toHaveLength(1)
  })

  it('ends the current session', async ({ members, logInAgain }) => {
    const ann = await members.signUp()
    const own = await logInAgain(ann)
    await members.call('DELETE', `/member/sessions/${own.id}`, { headers: own.headers })
    expect(refusalOf(await members.call('GET', '/member/sessions', { headers: own.headers }))).toMatchObject({
      status: 401,
      code: 'client/invalid-token',
    })
  })

  it("does not find another member's session, an ended session or an invalid id", async ({
    site,
    members,
    logInAgain,
    isLoggedIn,
  }) => {
    const ann = await members.signUp()
    const bea = await members.signUp()
    const theirs = await logInAgain(bea)
    const ended = await logInAgain(ann)
    await members.call('POST', '/member/logout', { headers: ended.headers })
    for (const id of [theirs.id, ended.id, site.context.ids.uuid(), 'x', '%27%20OR%201=1', '%00']) {
      const reply = await members.call('DELETE', `/member/sessions/${id}`, { headers: ann.headers })
      expect(refusalOf(reply), id).toMatchObject({ status: 404, code: 'session-not-found' })
    }
    expect(await isLoggedIn(theirs.headers)).toBe(true)
  })
})

describe('DELETE /member/sessions', () => {
  it('ends all sessions of the member but the current one', async ({ members, logInAgain, isLoggedIn }) => {
    const ann = await members.signUp()
    const bea = await members.signUp()
    const others = [await logInAgain(ann), await logInAgain(ann)]
    const end = () => members.call('DELETE', '/member/sessions', { headers: ann.headers })
    expect((await end()).json()).toEqual({ data: { ended: 2 } })
    for (const { headers } of others) expect(await isLoggedIn(headers)).toBe(false)
    expect(await isLoggedIn(ann.headers)).toBe(true)
    expect(await isLoggedIn(bea.headers)).toBe(true)
    expect((await end()).json()).toEqual({ data: { ended: 0 } })
  })
})

describe('the clean-up', () => {
  it('removes only expired sessions', async ({ site, members, logInAgain, isLoggedIn, moveBy }) => {
    const ann = await members.signUp()
    moveBy(dayMs)
    const young = await logInAgain(ann)
    moveBy(14 * dayMs + 1)
    await site.context.removeOld()
    const rows = await site.context.database.db.memberSession.findMany({ where: { memberId: ann.memberId } })
    expect(rows.map(({ id }) => id)).toEqual([young.id])
    expect(await isLoggedIn(young.headers)).toBe(true)
    expect(await isLoggedIn(ann.headers)).toBe(false)
    moveBy(0)
  })
})
