import { describe, expect } from 'vitest'
import { randomIds } from '#platform/ids.ts'
import { refusalOf } from '#test/desk.ts'
import { addApp } from '#test/factories/membership-apps.ts'
import { mailTest } from '#test/fixtures.ts'
import { codeIn } from '#test/mail/inbox.ts'
import { codeKinds, newPassword, otherCode } from '#test/sign-in/code-flows.ts'
import { createCodeSecrets } from '../codes/code-secrets.ts'

/** Ids for the next codes; random ids follow. */
const nextIds: string[] = []
const ids = { ...randomIds, uuid: () => nextIds.shift() ?? randomIds.uuid() }
const it = mailTest({ overrides: { ids } })
  /** Resets the password without an address, as published clients do. */
  .extend('reset', { scope: 'file' }, ({ flows }) => {
    return (token: string, from: { from?: string; headers?: Record<string, string> } = {}) =>
      flows.members.call('POST', '/auth/reset-password', { body: { token, newPassword }, ...from })
  })

// Expires the codes and guesses of the previous test.
it.beforeEach(({ flows }) => flows.pass(3601))

const tooMany = { status: 429, code: 'too-many-requests' }
const refused = { status: 400, code: 'invalid-reset-code' }

describe('POST /auth/reset-password without an address', () => {
  it('finds the account by the code', async ({ flows, reset }) => {
    const { email } = await flows.memberOf('ann@example.com')
    const code = await flows.code('reset', email)
    expect((await reset(code)).statusCode).toBe(200)
    expect((await flows.members.logIn({ email, password: newPassword })).member.auth.email).toBe(email)
  })

  it('accepts a code once', async ({ flows, reset }) => {
    const code = await flows.code('reset', 'bea@example.com')
    const replies = await Promise.all(Array.from({ length: 8 }, () => reset(code)))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(refusalOf(await reset(code))).toMatchObject(refused)
  })

  it('accepts only the newest code, for one hour', async ({ flows, reset }) => {
    const first = await flows.code('reset', 'cy@example.com')
    const second = await flows.code('reset', 'cy@example.com')
    expect(refusalOf(await reset(first))).toMatchObject(refused)
    flows.pass(3600)
    expect(refusalOf(await reset(second))).toMatchObject(refused)
  })

  it('refuses a code of another purpose or app', async ({ site, flows, reset }) => {
    const elsewhere = await addApp(site, { id: 'app_elsewhere', publicKey: 'pk_elsewhere' })
    const login = await flows.code('login', 'dan@example.com')
    const code = await flows.code('reset', 'dan@example.com')
    expect(refusalOf(await reset(login))).toMatchObject(refused)
    expect(refusalOf(await reset(code, { headers: elsewhere }))).toMatchObject(refused)
    expect((await reset(code)).statusCode).toBe(200)
  })

  it('refuses a code after five wrong guesses with its address', async ({ flows, reset }) => {
    const { email } = await flows.memberOf('eve@example.com')
    const code = await flows.code('reset', email)
    for (const distance of [1, 2, 3, 4, 5]) await flows.use('reset', email, otherCode(code, distance))
    expect(refusalOf(await reset(code))).toMatchObject(refused)
  })

  it('never has two valid codes with the same digits', async ({ site, flows, reset }) => {
    const secrets = createCodeSecrets(site.context.config.secrets.siteSecret)
    const [one, two] = findIdsOfSameDigits(secrets)
    // The accounts exist before, so that the codes get the next ids.
    await flows.memberOf('finn@example.com')
    await flows.memberOf('gil@example.com')
    await flows.mailed()
    nextIds.splice(0, nextIds.length, one)
    const first = await flows.code('reset', 'finn@example.com')
    nextIds.splice(0, nextIds.length, two)
    const second = await flows.code('reset', 'gil@example.com')
    expect(first).toBe(secrets.digitsOf(two, 0))
    expect(second).toBe(secrets.digitsOf(two, 1))
    expect((await reset(second)).statusCode).toBe(200)
    expect((await reset(first)).statusCode).toBe(200)
    await flows.members.logIn({ email: 'gil@example.com', password: newPassword })
  })

  it('reuses digits once their code has expired', async ({ site, flows }) => {
    const secrets = createCodeSecrets(site.context.config.secrets.siteSecret)
    const [one, two] = findIdsOfSameDigits(secrets, 5)
    await flows.memberOf('hal@example.com')
    await flows.memberOf('ida@example.com')
    nextIds.splice(0, nextIds.length, one)
    await flows.code('reset', 'hal@example.com')
    flows.pass(3600)
    nextIds.splice(0, nextIds.length, two)
    expect(await flows.code('reset', 'ida@example.com')).toBe(secrets.digitsOf(one, 0))
  })
})

describe('a guess without an address', () => {
  it('is compared only with codes that its own network requested', async ({ flows, reset }) => {
    const { email } = await flows.memberOf('jo@example.com')
    const code = await flows.code('reset', email, { from: '10.1.0.1' })
    const from = '10.1.0.2'
    for (let round = 0; round < 8; round += 1)
      expect(refusalOf(await reset(code, { from }))).toMatchObject(refused)
    expect((await reset(code, { from: '10.1.0.1' })).statusCode).toBe(200)
  })

  it('is compared with the codes of its browser on any network', async ({ flows, inbox, reset }) => {
    const { email } = await flows.memberOf('kim@example.com')
    const asked = await flows.ask('reset', email, { from: '10.2.0.1' })
    const cookie = asked.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const code = codeIn(await inbox.mailTo(email, codeKinds.reset.words))
    const headers = { ...flows.members.visitor, cookie }
    expect((await reset(code, { from: '10.2.0.2', headers })).statusCode).toBe(200)
  })

  it('is limited to three wrong ones an hour per network', async ({ flows, reset }) => {
    const from = '10.3.0.1'
    const [one, two] = ['lea@example.com', 'lou@example.com']
    const first = await flows.code('reset', one, { from })
    expect(refusalOf(await reset(otherCode(first), { from }))).toMatchObject(refused)
    expect((await reset(first, { from })).statusCode).toBe(200)
    const second = await flows.code('reset', two, { from })
    for (const distance of [1, 2]) await reset(otherCode(second, distance), { from })
    const late = await reset(second, { from })
    expect(refusalOf(late)).toMatchObject(tooMany)
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0)
    expect((await flows.use('reset', two, second, { from })).statusCode).toBe(200)
  })

  it('costs one try, however many codes it is compared with, with or without accounts', async ({
    flows,
    reset,
  }) => {
    for (const [index, kind] of ['member', 'stranger'].entries()) {
      const from = `10.4.0.${index + 1}`
      const emails = [1, 2, 3, 4].map((number) => `${kind}-${number}@example.com`)
      for (const email of emails) {
        if (kind === 'member') await flows.memberOf(email)
        await flows.ask('reset', email, { from })
      }
      await flows.mailed()
      const refusals: string[] = []
      for (const guess of ['000001', 'wrong', '', '000002']) {
        refusals.push(refusalOf(await reset(guess, { from })).code)
      }
      expect(refusals, kind).toEqual([
        'invalid-reset-code',
        'invalid-reset-code',
        'invalid-reset-code',
        'too-many-requests',
      ])
    }
  })

  it('stays possible on other networks when one has used up its limit', async ({ flows, reset }) => {
    const { email } = await flows.memberOf('tom@example.com')
    const code = await flows.code('reset', email, { from: '10.6.0.1' })
    for (let round = 0; round < 9; round += 1) {
      const cookie = `tidings_browser=${String(round % 3).padStart(43, 'x')}`
      const headers = { ...flows.members.visitor, cookie }
      await flows.ask('reset', `victim-${round % 3}@example.com`, { from: '10.6.0.2', headers })
      await reset('000000', { from: '10.6.0.2', headers })
    }
    for (const distance of [1, 2]) {
      expect(refusalOf(await reset(otherCode(code, distance), { from: '10.6.0.1' }))).toMatchObject(refused)
    }
    expect((await reset(code, { from: '10.6.0.1' })).statusCode).toBe(200)
  })
})

/** Finds two ids whose codes have the same digits, by trying ids in order. */
function findIdsOfSameDigits(
  secrets: ReturnType<typeof createCodeSecrets>,
  from = 0,
): readonly [string, string] {
  const seen = new Map<string, string>()
  for (let number = from * 100_000; ; number += 1) {
    const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
    const digits = secrets.digitsOf(id, 0)
    const other = seen.get(digits)
    if (other !== undefined) return [other, id]
    seen.set(digits, id)
  }
}
