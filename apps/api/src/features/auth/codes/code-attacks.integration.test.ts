import type { LightMyRequestResponse } from 'fastify'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { mailTest } from '#test/fixtures.ts'
import { codeIn } from '#test/mail/inbox.ts'
import { codeKinds, otherCode } from '#test/sign-in/code-flows.ts'

const it = mailTest()
  /** Returns the headers of a browser that stores the reply's cookies. */
  .extend('headersAfter', { scope: 'file' }, ({ flows }) => ({ cookies }: LightMyRequestResponse) => {
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    return { ...flows.members.visitor, cookie }
  })
  /** Requests a login code from a new browser and returns both. */
  .extend(
    'codeOf',
    { scope: 'file' },
    ({ flows, inbox, headersAfter }) =>
      async (email: string, from: string) => {
        await flows.memberOf(email)
        const asked = await flows.ask('login', email, { from })
        const code = codeIn(await inbox.mailTo(email, codeKinds.login.words))
        return { code, browser: { from, headers: headersAfter(asked) } }
      },
  )
  /** Uses up the wrong codes of a network with codes for addresses that requested none. */
  .extend('useUp', { scope: 'file' }, ({ flows }) => async (from: string) => {
    for (let index = 0; index < 5; index += 1) {
      await flows.use('login', `invented-${index}@example.com`, '000000', { from })
    }
  })
it.beforeEach(({ site }) => {
  site.limitCalls('wrongCodes', 4)
  site.limitCalls('wrongCodesInAll', 12)
  site.limitCalls('wrongCodesBeyondTotal', 1)
  site.limitCalls('wrongCodesOfRequesters', 8)
  site.limitCodes({ signupCodesPerDay: 1 })
})

const tooMany = { status: 429, code: 'too-many-requests' }
const { refusal } = codeKinds.login

describe('wrong codes for many accounts', () => {
  it('are limited for one network, however many accounts and at once', async ({ flows }) => {
    const from = '10.1.0.1'
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        flows.use('login', `victim-${index}@example.com`, '000000', { from }),
      ),
    )
    const codes = replies.map((reply) => refusalOf(reply).code)
    expect(codes.filter((code) => code === refusal)).toHaveLength(4)
    expect(codes.filter((code) => code === tooMany.code)).toHaveLength(8)
  })

  it('leave a right code valid on other networks, and on one that has logged in before', async ({
    flows,
  }) => {
    const email = 'ann@example.com'
    await flows.memberOf(email)
    for (let index = 0; index < 9; index += 1) {
      await flows.use('login', email, '000000', { from: `10.2.${index}.1` })
    }
    for (let index = 0; index < 6; index += 1) {
      const reply = await flows.use('login', email, '000000')
      expect(refusalOf(reply).code).toBe(refusal)
    }
    const code = await flows.code('login', email, { from: '10.2.99.1' })
    expect((await flows.use('login', email, code, { from: '10.2.99.2' })).statusCode).toBe(200)
  })

  it('beyond the total, leave each network one guess, and right codes cost nothing', async ({ flows }) => {
    for (let index = 0; index < 24; index += 1) {
      await flows.use('login', `crowd-${index}@example.com`, '000000', { from: `10.3.${index % 12}.1` })
    }
    const from = '10.3.99.1'
    for (const email of ['bea@example.com', 'cy@example.com']) {
      const code = await flows.code('login', email, { from })
      expect((await flows.use('login', email, code, { from })).statusCode).toBe(200)
    }
    const others: string[] = []
    for (const name of ['dan', 'eve']) {
      const reply = await flows.use('login', `${name}@example.com`, '000000', { from: '10.3.98.1' })
      others.push(refusalOf(reply).code)
    }
    expect(others).toEqual([refusal, tooMany.code])
  })
})

describe('an attacker on the network of a new device', () => {
  it("can't use up the tries of the browser that requested the code", async ({ flows, codeOf, useUp }) => {
    const [email, from] = ['finn@example.com', '10.4.0.1']
    const { code, browser } = await codeOf(email, from)
    for (let index = 0; index < 7; index += 1) {
      await flows.use('login', email, otherCode(code, index + 1), { from })
    }
    await useUp(from)
    expect(refusalOf(await flows.use('login', email, code, { from }))).toMatchObject(tooMany)
    expect(refusalOf(await flows.use('login', email, otherCode(code), browser)).code).toBe(refusal)
    expect((await flows.use('login', email, code, browser)).statusCode).toBe(200)
  })

  it.for(['gil@example.com', 'stranger@example.com'])(
    'gets the same reply as the requester of a code for %s that was not sent',
    async (email, { flows, headersAfter, useUp }) => {
      const from = '10.5.0.1'
      await flows.memberOf('gil@example.com')
      await useUp(from)
      for (let index = 0; index < 3; index += 1) await flows.ask('login', email, { from })
      await flows.mailed()
      const headers = headersAfter(await flows.ask('login', email, { from }))
      await flows.mailed()
      const reply = await flows.use('login', email, '000000', { from, headers })
      expect(refusalOf(reply).code).toBe(refusal)
    },
  )

  it('has few guesses more with codes that it requested', async ({ flows, codeOf, headersAfter, useUp }) => {
    const from = '10.6.0.1'
    const own = await codeOf('hal@example.com', from)
    await useUp(from)
    expect((await flows.use('login', 'hal@example.com', own.code, own.browser)).statusCode).toBe(200)
    const replies: string[] = []
    for (let index = 0; index < 9; index += 1) {
      const email = `requested-${index}@example.com`
      const headers = headersAfter(await flows.ask('login', email, { from }))
      replies.push(refusalOf(await flows.use('login', email, '000000', { from, headers })).code)
    }
    expect([replies.at(0), replies.at(-1)]).toEqual([refusal, tooMany.code])
  })
})

describe('sign-up codes to addresses without an account', () => {
  it('are limited to four networks of an IPv6 /56', async ({ flows, inbox }) => {
    const emails = [0, 1, 2, 3, 4, 5].map((index) => `stranger-${index}@example.com`)
    for (const [index, email] of emails.entries()) {
      await flows.ask('signup', email, { from: `2001:db8:5:${index}::1` })
      await flows.mailed()
    }
    await flows.ask('signup', 'elsewhere@example.com', { from: '2001:db8:6::1' })
    await flows.mailed()
    const mails = await Promise.all(emails.map((email) => inbox.mailsTo(email, codeKinds.signup.words)))
    expect(mails.map(({ length }) => length)).toEqual([1, 1, 1, 1, 0, 0])
    expect(await inbox.mailsTo('elsewhere@example.com', codeKinds.signup.words)).toHaveLength(1)
  })
})
