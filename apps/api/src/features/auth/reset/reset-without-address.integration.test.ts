import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPassword, otherCode } from '../../../../test/code-flows.ts'
import { refusalOf } from '../../../../test/desk.ts'
import { addApp } from '../../../../test/factories/membership-apps.ts'
import { type MailSite, startMailSite } from '../../../../test/mail-site.ts'
import { randomIds } from '../../../platform/ids.ts'
import { createCodeSecrets } from '../codes/code-secrets.ts'

let mailSite: MailSite
let inbox: MailSite['inbox']
let site: MailSite['site']
let flows: MailSite['flows']
/** What the next codes' ids are to be, before chance decides again. */
const nextIds: string[] = []
beforeAll(async () => {
  const ids = { ...randomIds, uuid: () => nextIds.shift() ?? randomIds.uuid() }
  mailSite = await startMailSite({ overrides: { ids }, env: { RATE_RESET_GUESSES_PER_HOUR: '40' } })
  ;({ inbox, site, flows } = mailSite)
})
afterAll(() => mailSite.close())

/** Sets a password as published clients do, which send no address. */
function reset(token: string, headers?: Record<string, string>) {
  const body = { token, newPassword }
  return flows.members.call('POST', '/auth/reset-password', {
    body,
    ...(headers === undefined ? {} : { headers }),
  })
}

const refused = { status: 400, code: 'invalid-reset-code' }

describe('POST /auth/reset-password without an address', () => {
  it('finds the account by the code', async () => {
    const { email } = await flows.memberOf('ann@example.com')
    const code = await flows.code('reset', email)
    expect((await reset(code)).statusCode).toBe(200)
    expect((await flows.members.logIn({ email, password: newPassword })).member.auth.email).toBe(email)
  })

  it('takes a code once', async () => {
    const code = await flows.code('reset', 'bea@example.com')
    const replies = await Promise.all(Array.from({ length: 20 }, () => reset(code)))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(refusalOf(await reset(code))).toMatchObject(refused)
  })

  it('takes the newest code only, and none that is an hour old', async () => {
    const first = await flows.code('reset', 'cy@example.com')
    const second = await flows.code('reset', 'cy@example.com')
    expect(refusalOf(await reset(first))).toMatchObject(refused)
    flows.pass(3600)
    expect(refusalOf(await reset(second))).toMatchObject(refused)
  })

  it('takes no code of another purpose or another app', async () => {
    const elsewhere = await addApp(site, { id: 'app_elsewhere', publicKey: 'pk_elsewhere' })
    const login = await flows.code('login', 'dan@example.com')
    const code = await flows.code('reset', 'dan@example.com')
    expect(refusalOf(await reset(login))).toMatchObject(refused)
    expect(refusalOf(await reset(code, elsewhere))).toMatchObject(refused)
    expect((await reset(code)).statusCode).toBe(200)
  })

  it('takes no code that was guessed at five times with its address', async () => {
    const { email } = await flows.memberOf('eve@example.com')
    const code = await flows.code('reset', email)
    for (const distance of [1, 2, 3, 4, 5]) await flows.use('reset', email, otherCode(code, distance))
    expect(refusalOf(await reset(code))).toMatchObject(refused)
  })

  it('never meets two living codes with the same digits', async () => {
    const secrets = createCodeSecrets(site.context.config.secrets.siteSecret)
    const [one, two] = findIdsOfSameDigits(secrets)
    // The accounts are there before, so that no other id is asked for.
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

  it('gives digits away again once their code has ended', async () => {
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

describe("the app's budget of wrong guesses", () => {
  it('is spent by guesses from everywhere, and then resets need the address', async () => {
    const { email } = await flows.memberOf('jo@example.com')
    const code = await flows.code('reset', email)
    const guesses = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        flows.members.call('POST', '/auth/reset-password', {
          body: { token: otherCode(code, index + 1), newPassword },
          from: `10.1.${index}.7`,
        }),
      ),
    )
    const codes = guesses.map((reply) => refusalOf(reply).code)
    expect(new Set(codes)).toEqual(new Set(['invalid-reset-code', 'too-many-requests']))
    const past = await reset(code)
    expect(refusalOf(past)).toMatchObject({ status: 429, code: 'too-many-requests' })
    expect(Number(past.headers['retry-after'])).toBeGreaterThan(0)
    expect((await flows.use('reset', email, code)).statusCode).toBe(200)
  })

  it('is another one for another app', async () => {
    const headers = await addApp(site, { id: 'app_third', publicKey: 'pk_third' })
    expect(refusalOf(await reset('123456', headers))).toMatchObject(refused)
    expect(await inbox.mailsTo('nobody@example.com')).toEqual([])
  })
})

/** Two ids whose codes come out with the same digits: found by trying, as chance would. */
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
