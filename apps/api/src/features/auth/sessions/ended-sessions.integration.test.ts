import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestMembers, type TestMember, type TestMembers } from '#test/membership.ts'
import { cutLines, hearAll } from '#test/other-processes.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { waitOptions } from '#test/wait-options.ts'
import { createCodeSecrets } from '../codes/code-secrets.ts'

// Ending a session holds on every process; how soon is measured by the bench of session ends.
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

/** What a process answers with these headers: whether somebody is logged in, on each call that says it. */
async function answersOf(process: TestMembers, headers: Record<string, string>): Promise<string> {
  const member = await process.call('GET', '/member', { headers })
  const both = await process.call('GET', '/app-member', { headers })
  const json = await process.call('GET', '/member/json', { headers })
  const isThere = [member.json().data, both.json().data.member].map((found) => found !== null)
  return [member.statusCode, both.statusCode, ...isThere, json.statusCode, json.json().error?.code].join(' ')
}

const loggedIn = '200 200 true true 200 '
const loggedOut = '200 200 false false 401 client/invalid-token'

/** A member whose session both processes know in memory. */
async function knownMember(): Promise<TestMember> {
  const member = await members.signUp()
  for (const process of [members, elsewhere]) expect(await answersOf(process, member.headers)).toBe(loggedIn)
  return member
}

/** The reset code that is on its way to an address. */
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

const endings: [string, (member: TestMember) => Promise<{ statusCode: number }>][] = [
  ['logging out', ({ headers }) => members.call('POST', '/member/logout', { headers })],
  [
    'a reset of the password',
    async (member) => {
      const body = { token: await resetCodeOf(member), newPassword, email: member.email }
      return await members.call('POST', '/auth/reset-password', { body })
    },
  ],
  ['deleting the account', ({ headers }) => members.call('DELETE', '/member', { headers })],
  [
    'ending it by its id',
    async ({ headers }) => {
      const [own] = (await members.call('GET', '/member/sessions', { headers })).json().data
      return await members.call('DELETE', `/member/sessions/${own.id}`, { headers })
    },
  ],
]

const endingsOfOthers: [string, (member: TestMember) => Promise<{ statusCode: number }>][] = [
  [
    'a change of the password',
    ({ headers, password }) =>
      members.call('POST', '/member-auth', { headers, body: { oldPassword: password, newPassword } }),
  ],
  [
    'a change of the address',
    ({ headers, email }) =>
      members.call('POST', '/member-auth', { headers, body: { email: `new-${email}` } }),
  ],
]

describe('a session', () => {
  it.each(endings)('is over after %s: here at once, in another process soon after', async (_name, end) => {
    const member = await knownMember()
    expect((await end(member)).statusCode).toBe(200)
    expect(await answersOf(members, member.headers)).toBe(loggedOut)
    await vi.waitFor(
      async () => expect(await answersOf(elsewhere, member.headers)).toBe(loggedOut),
      waitOptions,
    )
  })

  it.each(endingsOfOthers)('stays after %s, and every other one is over', async (_name, change) => {
    const member = await knownMember()
    const others = await Promise.all(
      [members, elsewhere].map(async (process) => process.headersOf(await process.logIn(member))),
    )
    for (const headers of others) expect(await answersOf(elsewhere, headers)).toBe(loggedIn)
    expect((await change(member)).statusCode).toBe(200)
    for (const headers of others) {
      expect(await answersOf(members, headers)).toBe(loggedOut)
      await vi.waitFor(async () => expect(await answersOf(elsewhere, headers)).toBe(loggedOut), waitOptions)
    }
    for (const process of [members, elsewhere]) {
      expect(await answersOf(process, member.headers)).toBe(loggedIn)
    }
  })

  it('that began in one process is known in the other', async () => {
    const member = await members.signUp()
    expect(await answersOf(elsewhere, member.headers)).toBe(loggedIn)
  })

  it('is looked up each time while a process cannot hear that it ended', async () => {
    const member = await knownMember()
    await cutLines(there)
    await vi.waitFor(() => expect(there.context.notifications.isListening()).toBe(false), waitOptions)
    // Ended beside the processes, so that no notification tells of it.
    await here.context.database.db.memberSession.deleteMany({ where: { memberId: member.memberId } })
    expect(await answersOf(elsewhere, member.headers)).toBe(loggedOut)
    await vi.waitFor(() => {
      for (const { context } of [here, there]) expect(context.notifications.isListening()).toBe(true)
    }, waitOptions)
    for (const process of [members, elsewhere]) {
      expect(await answersOf(process, member.headers)).toBe(loggedOut)
    }
  })

  it('that ended while a process did not hear is not remembered once it hears again', async () => {
    const member = await knownMember()
    await cutLines(there)
    await members.call('POST', '/member/logout', { headers: member.headers })
    await vi.waitFor(() => expect(there.context.notifications.isListening()).toBe(true), waitOptions)
    await vi.waitFor(
      async () => expect(await answersOf(elsewhere, member.headers)).toBe(loggedOut),
      waitOptions,
    )
  })

  it('does not come back by a read that was under way when it ended', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => members.signUp()))
    const storm = people.flatMap(({ headers }) => [
      ...[members, elsewhere].map((process) => process.call('GET', '/member', { headers })),
      members.call('POST', '/member/logout', { headers }),
      ...[members, elsewhere].map((process) => process.call('GET', '/member', { headers })),
    ])
    for (const reply of await Promise.all(storm)) expect(reply.statusCode).toBe(200)
    for (const { context } of [here, there]) await hearAll({ context })
    for (const { headers } of people) {
      for (const process of [members, elsewhere]) expect(await answersOf(process, headers)).toBe(loggedOut)
    }
  })
})
