import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { mailTest } from '#test/fixtures.ts'
import { codeIn } from '#test/mail/inbox.ts'
import { codeKinds, newPassword, otherCode } from '#test/sign-in/code-flows.ts'

const it = mailTest()
  /** Resets the password without an address, as published clients do. */
  .extend('reset', { scope: 'file' }, ({ flows }) => {
    return (token: string, from: { from?: string; headers?: Record<string, string> } = {}) =>
      flows.members.call('POST', '/auth/reset-password', { body: { token, newPassword }, ...from })
  })
  /** Requests codes for other addresses from a network and guesses wrong. Returns the refusals. */
  .extend('attack', { scope: 'file' }, ({ flows, reset }) => {
    return async (from: string, { addresses, guesses }: { addresses: number; guesses: number }) => {
      for (let index = 0; index < addresses; index += 1) {
        await flows.ask('reset', `${from.replaceAll(':', '-')}-${index}@example.com`, { from })
      }
      const replies = await Promise.all(
        Array.from({ length: guesses }, (_, index) => reset(`wrong ${index}`, { from })),
      )
      return replies.map((reply) => refusalOf(reply).code)
    }
  })
  .extend('wrongGuesses', { scope: 'file' }, ({ site }) => async () => {
    const hourAgo = new Date(site.clock.now().getTime() - 3_600_000)
    const where = { guessedAt: { gt: hourAgo } }
    const { _sum } = await site.context.database.db.oneTimeCode.aggregate({ _sum: { guesses: true }, where })
    return _sum.guesses ?? 0
  })

// Expires the codes and guesses of the previous test.
it.beforeEach(({ site, flows }) => {
  flows.pass(3601)
  site.limitCodes({ resetGuessesPerHour: 36 })
})

const tooMany = { status: 429, code: 'too-many-requests' }
const refused = { status: 400, code: 'invalid-reset-code' }

describe('resets without an address', () => {
  it('stay possible on new networks after ten requests from two networks', async ({
    flows,
    reset,
    attack,
  }) => {
    const code = await flows.code('reset', 'ann@example.com', { from: '10.1.0.1' })
    for (const from of ['10.1.1.1', '10.1.2.1']) await attack(from, { addresses: 3, guesses: 2 })
    expect((await reset(code, { from: '10.1.0.1' })).statusCode).toBe(200)
  })

  it('stay possible while ten networks guess at their limits', async ({
    flows,
    reset,
    attack,
    wrongGuesses,
  }) => {
    const code = await flows.code('reset', 'bea@example.com', { from: '10.2.0.1' })
    for (let index = 1; index <= 10; index += 1) await attack(`10.2.${index}.1`, { addresses: 5, guesses: 4 })
    expect(await wrongGuesses()).toBe(30)
    expect(refusalOf(await reset(otherCode(code), { from: '10.2.0.1' }))).toMatchObject(refused)
    expect((await reset(code, { from: '10.2.0.1' })).statusCode).toBe(200)
  })

  it('cost an IPv6 /48 twelve guesses, from however many of its networks', async ({
    flows,
    reset,
    attack,
    wrongGuesses,
  }) => {
    const code = await flows.code('reset', 'cy@example.com', { from: '10.3.0.1' })
    for (let index = 0; index < 16; index += 1) {
      await attack(`2001:db8:3:${(index * 0x111).toString(16)}::1`, { addresses: 1, guesses: 2 })
    }
    expect(await wrongGuesses()).toBe(12)
    expect((await reset(code, { from: '10.3.0.1' })).statusCode).toBe(200)
  })

  it('stay possible behind an address from which an attacker requests codes', async ({
    flows,
    reset,
    attack,
  }) => {
    const code = await flows.code('reset', 'dan@example.com', { from: '10.4.0.1' })
    await attack('10.4.0.1', { addresses: 4, guesses: 2 })
    expect((await reset(code, { from: '10.4.0.1' })).statusCode).toBe(200)
  })

  it('work with the address in the browser that requested the code when its network has used up its guesses', async ({
    flows,
    inbox,
    attack,
  }) => {
    const from = '10.5.0.1'
    await flows.memberOf('eve@example.com')
    const asked = await flows.ask('reset', 'eve@example.com', { from })
    const cookie = asked.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const code = codeIn(await inbox.mailTo('eve@example.com', codeKinds.reset.words))
    await attack(from, { addresses: 1, guesses: 4 })
    const headers = { ...flows.members.visitor, cookie }
    expect((await flows.use('reset', 'eve@example.com', code, { from, headers })).statusCode).toBe(200)
  })

  it('count each wrong guess of a parallel burst once', async ({ flows, attack, wrongGuesses }) => {
    await flows.memberOf('finn@example.com')
    const refusals = await attack('10.6.0.1', { addresses: 2, guesses: 20 })
    expect(refusals.filter((code) => code === 'invalid-reset-code')).toHaveLength(3)
    expect(await wrongGuesses()).toBe(3)
  })

  it('cost nothing on a network that has requested no code', async ({ flows, reset, wrongGuesses }) => {
    const code = await flows.code('reset', 'gil@example.com', { from: '10.7.0.1' })
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) => reset(code, { from: `10.7.1.${index}` })),
    )
    expect(new Set(replies.map((reply) => refusalOf(reply).code))).toEqual(new Set([refused.code]))
    expect(await wrongGuesses()).toBe(0)
  })

  it('need the address once the guesses of the app are used up, except on known networks', async ({
    flows,
    reset,
    attack,
    wrongGuesses,
  }) => {
    const [from, email] = ['10.8.0.1', 'hal@example.com']
    const code = await flows.code('reset', email, { from })
    for (let index = 1; index <= 13; index += 1) await attack(`10.8.${index}.1`, { addresses: 2, guesses: 3 })
    expect(await wrongGuesses()).toBe(36)
    for (const guess of [code, otherCode(code)]) {
      expect(refusalOf(await reset(guess, { from }))).toMatchObject(tooMany)
    }
    expect((await flows.use('reset', email, code, { from })).statusCode).toBe(200)
    const known = await flows.code('reset', 'ida@example.com')
    expect(refusalOf(await reset(otherCode(known)))).toMatchObject(refused)
    expect((await reset(known)).statusCode).toBe(200)
    flows.pass(3601)
    const later = await flows.code('reset', email, { from })
    expect((await reset(later, { from })).statusCode).toBe(200)
  })

  it('have three guesses of a known network, even if others have used up all', async ({
    flows,
    reset,
    attack,
  }) => {
    for (let index = 1; index <= 13; index += 1) await attack(`10.9.${index}.1`, { addresses: 1, guesses: 3 })
    const code = await flows.code('reset', 'jo@example.com')
    const refusals: string[] = []
    for (const distance of [1, 2, 3, 4]) refusals.push(refusalOf(await reset(otherCode(code, distance))).code)
    expect(refusals).toEqual([refused.code, refused.code, refused.code, tooMany.code])
    expect(refusalOf(await reset(code))).toMatchObject(tooMany)
  })
})
