import { describe, expect } from 'vitest'
import { mailTest } from '#test/fixtures.ts'
import { codeIn } from '#test/mail/inbox.ts'
import { codeKinds, newPassword, otherCode } from '#test/sign-in/code-flows.ts'

type From = { from: string; headers: Record<string, string> }

const it = mailTest()
  /** Resets the password without an address, as published clients do, and returns the status. */
  .extend('reset', { scope: 'file' }, ({ flows }) => async (token: string, from: From): Promise<number> => {
    const body = { token, newPassword }
    return (await flows.members.call('POST', '/auth/reset-password', { body, ...from })).statusCode
  })
  /** Requests a code from a browser that the account may know, and returns it. */
  .extend('codeOf', { scope: 'file' }, ({ flows, inbox }) => {
    return async (email: string, from: From): Promise<string> => {
      await flows.memberOf(email)
      await flows.ask('reset', email, from)
      return codeIn(await inbox.mailTo(email, codeKinds.reset.words))
    }
  })
  /** Logs in to an account from a network and returns this browser, which the account knows from then on. */
  .extend(
    'logInFrom',
    { scope: 'file' },
    ({ flows }) =>
      async (email: string, from: string): Promise<From> => {
        const { password } = await flows.memberOf(email)
        const reply = await flows.members.call('POST', '/auth/login', { body: { email, password }, from })
        const cookie = reply.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
        return { from, headers: { ...flows.members.visitor, cookie } }
      },
  )

// Expires the codes and guesses of the previous test.
it.beforeEach(({ flows }) => flows.pass(3601))

const guesses = [
  ['wrong', false],
  ['right', true],
] as const

describe("an attacker's own account", () => {
  it.for(guesses)(
    "doesn't show that a refused guess was %s",
    async ([what, isRight], { flows, reset, codeOf, logInFrom }) => {
      const [own, victim, from] = [
        `ann-${what}@example.com`,
        `bea-${what}@example.com`,
        isRight ? '10.1.0.1' : '10.1.0.2',
      ]
      const browser = await logInFrom(own, from)
      const other = { from, headers: flows.members.visitor }
      await flows.ask('reset', 'cy@example.com', other)
      for (const guess of ['wrong 1', 'wrong 2', 'wrong 3']) expect(await reset(guess, other)).toBe(400)
      const [code, ownCode] = [await codeOf(victim, browser), await codeOf(own, browser)]

      const statuses: number[] = []
      for (const guess of ['wrong 4', isRight ? code : 'wrong 5', 'wrong 6', ownCode]) {
        statuses.push(await reset(guess, browser))
      }
      expect(statuses).toEqual([429, 429, 429, 429])
      expect((await flows.use('reset', victim, code, browser)).statusCode).toBe(200)
    },
  )

  it.for(guesses)(
    "doesn't show that a guess was %s whose code has no tries left",
    async ([what, isRight], { flows, reset, codeOf, logInFrom }) => {
      const [own, victim, from] = [
        `dan-${what}@example.com`,
        `eve-${what}@example.com`,
        isRight ? '10.2.0.1' : '10.2.0.2',
      ]
      const browser = await logInFrom(own, from)
      const [code, ownCode] = [await codeOf(victim, browser), await codeOf(own, browser)]
      for (const distance of [1, 2, 3, 4, 5]) {
        await flows.use('reset', victim, otherCode(code, distance), browser)
      }

      const statuses: number[] = []
      for (const guess of ['wrong 1', isRight ? code : 'wrong 2', 'wrong 3', ownCode]) {
        statuses.push(await reset(guess, browser))
      }
      expect(statuses).toEqual([400, 400, 400, 429])
    },
  )
})
