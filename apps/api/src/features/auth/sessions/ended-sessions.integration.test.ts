import { describe, expect, vi } from 'vitest'
import { mailTest, secondProcess } from '#test/fixtures.ts'
import { codeIn, type InboxReader } from '#test/mail/inbox.ts'
import { createTestMembers, type TestMember, type TestMembers } from '#test/membership.ts'
import { terminateListeners, waitForNotifications } from '#test/other-processes.ts'
import { type CodeFlows, codeKinds } from '#test/sign-in/code-flows.ts'
import { waitOptions } from '#test/wait-options.ts'

// Every process rejects an ended session; the bench of session ends measures how soon.
const newPassword = 'another-long-password'

const it = mailTest()
  .extend('second', { scope: 'file' }, secondProcess())
  .extend('elsewhere', { scope: 'file' }, ({ second }) => createTestMembers(second))
  // Signs up a member whose session both processes have cached.
  .extend('cachedMember', { scope: 'file' }, ({ members, elsewhere }) => async () => {
    const member = await members.signUp()
    for (const process of [members, elsewhere])
      expect(await responsesOf(process, member.headers)).toBe(loggedIn)
    return member
  })

/** Returns a process's responses to each call that shows whether the member is logged in. */
async function responsesOf(process: TestMembers, headers: Record<string, string>): Promise<string> {
  const member = await process.call('GET', '/member', { headers })
  const both = await process.call('GET', '/app-member', { headers })
  const json = await process.call('GET', '/member/json', { headers })
  const isLoggedIn = [member.json().data, both.json().data.member].map((found) => found !== null)
  return [member.statusCode, both.statusCode, ...isLoggedIn, json.statusCode, json.json().error?.code].join(
    ' ',
  )
}

const loggedIn = '200 200 true true 200 '
const loggedOut = '200 200 false false 401 client/invalid-token'

type SessionEnd = (
  site: { members: TestMembers; flows: CodeFlows; inbox: InboxReader },
  member: TestMember,
) => Promise<{ statusCode: number }>

const sessionEnds: [string, SessionEnd][] = [
  ['logging out', ({ members }, { headers }) => members.call('POST', '/member/logout', { headers })],
  [
    'a password reset',
    async ({ flows, inbox }, { email }) => {
      await flows.ask('reset', email)
      const code = codeIn(await inbox.mailTo(email, codeKinds.reset.words))
      return await flows.use('reset', email, code)
    },
  ],
  ['deleting the account', ({ members }, { headers }) => members.call('DELETE', '/member', { headers })],
  [
    'revoking it by id',
    async ({ members }, { headers }) => {
      const [own] = (await members.call('GET', '/member/sessions', { headers })).json().data
      return await members.call('DELETE', `/member/sessions/${own.id}`, { headers })
    },
  ],
]

const endsOfOtherSessions: [string, SessionEnd][] = [
  [
    'a password change',
    ({ members }, { headers, password }) =>
      members.call('POST', '/member-auth', { headers, body: { oldPassword: password, newPassword } }),
  ],
  [
    'an address change',
    ({ members }, { headers, email }) =>
      members.call('POST', '/member-auth', { headers, body: { email: `new-${email}` } }),
  ],
]

describe('a session', () => {
  it.for(sessionEnds)(
    'is rejected after %s, at once on this process and soon on another',
    async ([_name, end], { members, elsewhere, flows, inbox, cachedMember }) => {
      const member = await cachedMember()
      expect((await end({ members, flows, inbox }, member)).statusCode).toBe(200)
      expect(await responsesOf(members, member.headers)).toBe(loggedOut)
      await vi.waitFor(
        async () => expect(await responsesOf(elsewhere, member.headers)).toBe(loggedOut),
        waitOptions,
      )
    },
  )

  it.for(endsOfOtherSessions)(
    'stays valid after %s, and every other session is rejected',
    async ([_name, change], { members, elsewhere, flows, inbox, cachedMember }) => {
      const member = await cachedMember()
      const others = await Promise.all(
        [members, elsewhere].map(async (process) => process.headersOf(await process.logIn(member))),
      )
      for (const headers of others) expect(await responsesOf(elsewhere, headers)).toBe(loggedIn)
      expect((await change({ members, flows, inbox }, member)).statusCode).toBe(200)
      for (const headers of others) {
        expect(await responsesOf(members, headers)).toBe(loggedOut)
        await vi.waitFor(
          async () => expect(await responsesOf(elsewhere, headers)).toBe(loggedOut),
          waitOptions,
        )
      }
      for (const process of [members, elsewhere]) {
        expect(await responsesOf(process, member.headers)).toBe(loggedIn)
      }
    },
  )

  it('that began on one process is accepted on the other', async ({ members, elsewhere }) => {
    const member = await members.signUp()
    expect(await responsesOf(elsewhere, member.headers)).toBe(loggedIn)
  })

  it('is not cached while a process receives no notifications', async ({
    site,
    second,
    members,
    elsewhere,
    cachedMember,
  }) => {
    const member = await cachedMember()
    await terminateListeners(second)
    await vi.waitFor(() => expect(second.context.notifications.isListening()).toBe(false), waitOptions)
    // Deleted directly in the database, without a notification.
    await site.context.database.db.memberSession.deleteMany({ where: { memberId: member.memberId } })
    expect(await responsesOf(elsewhere, member.headers)).toBe(loggedOut)
    await vi.waitFor(() => {
      for (const { context } of [site, second]) expect(context.notifications.isListening()).toBe(true)
    }, waitOptions)
    for (const process of [members, elsewhere]) {
      expect(await responsesOf(process, member.headers)).toBe(loggedOut)
    }
  })

  it('that ended during a notification outage is rejected after it', async ({
    second,
    members,
    elsewhere,
    cachedMember,
  }) => {
    const member = await cachedMember()
    await terminateListeners(second)
    await members.call('POST', '/member/logout', { headers: member.headers })
    await vi.waitFor(() => expect(second.context.notifications.isListening()).toBe(true), waitOptions)
    await vi.waitFor(
      async () => expect(await responsesOf(elsewhere, member.headers)).toBe(loggedOut),
      waitOptions,
    )
  })

  it('is not cached again by a read in progress when it ended', async ({
    site,
    second,
    members,
    elsewhere,
  }) => {
    const people = await Promise.all(Array.from({ length: 5 }, () => members.signUp()))
    const storm = people.flatMap(({ headers }) => [
      ...[members, elsewhere].map((process) => process.call('GET', '/member', { headers })),
      members.call('POST', '/member/logout', { headers }),
      ...[members, elsewhere].map((process) => process.call('GET', '/member', { headers })),
    ])
    for (const reply of await Promise.all(storm)) expect(reply.statusCode).toBe(200)
    for (const { context } of [site, second]) await waitForNotifications({ context })
    for (const { headers } of people) {
      for (const process of [members, elsewhere]) expect(await responsesOf(process, headers)).toBe(loggedOut)
    }
  })
})
