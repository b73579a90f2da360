import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestMembers, type TestMember, type TestMembers } from '#test/membership.ts'
import { terminateListeners, waitForNotifications } from '#test/other-processes.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { waitOptions } from '#test/wait-options.ts'
import { createCodeSecrets } from '../codes/code-secrets.ts'

// Every process rejects an ended session; the bench of session ends measures how soon.
const newPassword = 'another-long-password'

let here: TestApp
let there: TestApp
let members: TestMembers
let elsewhere: TestMembers
beforeAll(async () => {
  const databaseUrl = await createTestDatabase()
  here = await startTestApp({ databaseUrl })
  there = await startTestApp({ databaseUrl })
  members = createTestMembers(here)
  elsewhere = createTestMembers(there)
})
afterAll(async () => {
  await here.close()
  await there.close()
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

/** Signs up a member whose session both processes have cached. */
async function cachedMember(): Promise<TestMember> {
  const member = await members.signUp()
  for (const process of [members, elsewhere])
    expect(await responsesOf(process, member.headers)).toBe(loggedIn)
  return member
}

/** Requests a reset code and returns its digits. */
async function resetCodeOf({ email }: TestMember): Promise<string> {
  await members.call('POST', '/auth/send-reset-password-email', { body: { email } })
  const { database, config } = here.context
  const row = await vi.waitFor(
    () =>
      database.db.oneTimeCode.findFirstOrThrow({
        where: { email, purpose: 'reset', NOT: { codeHash: null } },
      }),
    waitOptions,
  )
  return createCodeSecrets(config.secrets.siteSecret).digitsOf(row.id, 0)
}

const sessionEnds: [string, (member: TestMember) => Promise<{ statusCode: number }>][] = [
  ['logging out', ({ headers }) => members.call('POST', '/member/logout', { headers })],
  [
    'a password reset',
    async (member) => {
      const body = { token: await resetCodeOf(member), newPassword, email: member.email }
      return await members.call('POST', '/auth/reset-password', { body })
    },
  ],
  ['deleting the account', ({ headers }) => members.call('DELETE', '/member', { headers })],
  [
    'revoking it by id',
    async ({ headers }) => {
      const [own] = (await members.call('GET', '/member/sessions', { headers })).json().data
      return await members.call('DELETE', `/member/sessions/${own.id}`, { headers })
    },
  ],
]

const endsOfOtherSessions: [string, (member: TestMember) => Promise<{ statusCode: number }>][] = [
  [
    'a password change',
    ({ headers, password }) =>
      members.call('POST', '/member-auth', { headers, body: { oldPassword: password, newPassword } }),
  ],
  [
    'an address change',
    ({ headers, email }) =>
      members.call('POST', '/member-auth', { headers, body: { email: `new-${email}` } }),
  ],
]

describe('a session', () => {
  it.each(sessionEnds)(
    'is rejected after %s, at once on this process and soon on another',
    async (_name, end) => {
      const member = await cachedMember()
      expect((await end(member)).statusCode).toBe(200)
      expect(await responsesOf(members, member.headers)).toBe(loggedOut)
      await vi.waitFor(
        async () => expect(await responsesOf(elsewhere, member.headers)).toBe(loggedOut),
        waitOptions,
      )
    },
  )

  it.each(endsOfOtherSessions)(
    'stays valid after %s, and every other session is rejected',
    async (_name, change) => {
      const member = await cachedMember()
      const others = await Promise.all(
        [members, elsewhere].map(async (process) => process.headersOf(await process.logIn(member))),
      )
      for (const headers of others) expect(await responsesOf(elsewhere, headers)).toBe(loggedIn)
      expect((await change(member)).statusCode).toBe(200)
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

  it('that began on one process is accepted on the other', async () => {
    const member = await members.signUp()
    expect(await responsesOf(elsewhere, member.headers)).toBe(loggedIn)
  })

  it('is not cached while a process receives no notifications', async () => {
    const member = await cachedMember()
    await terminateListeners(there)
    await vi.waitFor(() => expect(there.context.notifications.isListening()).toBe(false), waitOptions)
    // Deleted directly in the database, without a notification.
    await here.context.database.db.memberSession.deleteMany({ where: { memberId: member.memberId } })
    expect(await responsesOf(elsewhere, member.headers)).toBe(loggedOut)
    await vi.waitFor(() => {
      for (const { context } of [here, there]) expect(context.notifications.isListening()).toBe(true)
    }, waitOptions)
    for (const process of [members, elsewhere]) {
      expect(await responsesOf(process, member.headers)).toBe(loggedOut)
    }
  })

  it('that ended during a notification outage is rejected after it', async () => {
    const member = await cachedMember()
    await terminateListeners(there)
    await members.call('POST', '/member/logout', { headers: member.headers })
    await vi.waitFor(() => expect(there.context.notifications.isListening()).toBe(true), waitOptions)
    await vi.waitFor(
      async () => expect(await responsesOf(elsewhere, member.headers)).toBe(loggedOut),
      waitOptions,
    )
  })

  it('is not cached again by a read in progress when it ended', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => members.signUp()))
    const storm = people.flatMap(({ headers }) => [
      ...[members, elsewhere].map((process) => process.call('GET', '/member', { headers })),
      members.call('POST', '/member/logout', { headers }),
      ...[members, elsewhere].map((process) => process.call('GET', '/member', { headers })),
    ])
    for (const reply of await Promise.all(storm)) expect(reply.statusCode).toBe(200)
    for (const { context } of [here, there]) await waitForNotifications({ context })
    for (const { headers } of people) {
      for (const process of [members, elsewhere]) expect(await responsesOf(process, headers)).toBe(loggedOut)
    }
  })
})
