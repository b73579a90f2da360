import { pino } from 'pino'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { createPasswords } from '#platform/passwords/passwords.ts'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { createTestMembers } from '#test/membership.ts'
import { startTestApp } from '#test/test-app.ts'

const it = siteTest({ working: false })
  .extend('databaseUrl', { scope: 'file' }, ({ site }) => site.context.config.database.url)
  .extend('logIn', { scope: 'file' }, ({ members }) => (email: string, password: unknown, from?: string) => {
    return members.call('POST', '/auth/login', {
      body: { email, password },
      ...(from === undefined ? {} : { from }),
    })
  })
  .extend(
    'passwordHashOf',
    { scope: 'file' },
    ({ site }) =>
      async (email: string): Promise<string | null> => {
        return (await site.context.database.db.member.findFirstOrThrow({ where: { email } })).passwordHash
      },
  )

const right = 'a-long-password'

describe('POST /auth/login', () => {
  it.for([
    ['a malformed address', 'ann', right, 400, 'invalid-email'],
    ['no password', 'ann@example.com', '', 400, 'required-field-missing'],
    ['a number', 'ann@example.com', 12_345_678, 400, 'invalid-password'],
    ['a password of 300 characters', 'ann@example.com', 'p'.repeat(300), 401, 'invalid-credentials'],
    ['SQL', "ann'--@example.com", "' OR '1'='1", 401, 'invalid-credentials'],
    ['a NUL', 'ann@example.com', 'pass\u0000word', 401, 'invalid-credentials'],
  ] as const)('refuses %s', async ([_name, email, password, status, code], { logIn }) => {
    expect(refusalOf(await logIn(email, password))).toMatchObject({ status, code })
  })

  it('compares the whole password, case and spaces included', async ({ members, logIn }) => {
    const password = 'The-Right-One-'.repeat(10)
    await members.signUp({ email: 'bea@example.com', password })
    for (const wrong of [password.slice(0, -1), `${password}x`, ` ${password}`, password.toLowerCase()]) {
      expect((await logIn('bea@example.com', wrong)).statusCode).toBe(401)
    }
    expect((await logIn('bea@example.com', password)).statusCode).toBe(200)
  })

  it('refuses an account without a password like a wrong password', async ({ site, members, logIn }) => {
    const { email, memberId } = await members.signUp()
    await site.context.database.db.member.update({ where: { id: memberId }, data: { passwordHash: null } })
    const [without, wrong] = await Promise.all([logIn(email, right), logIn('unknown@example.com', right)])
    expect([without.statusCode, without.body]).toEqual([wrong.statusCode, wrong.body])
  })

  it.for(['cy@example.com', 'stranger@example.com'])(
    'allows twenty wrong guesses at %s an hour from one network',
    async (email, { members, logIn }) => {
      await members.signUp({ email: 'cy@example.com' }).catch(() => null)
      const replies = await Promise.all(
        Array.from({ length: 30 }, (_, index) => logIn(email, `wrong-guess-${index}`, '10.4.0.1')),
      )
      expect(replies.filter(({ statusCode }) => statusCode === 401)).toHaveLength(20)
      const past = await logIn(email.toUpperCase(), right, '10.4.0.1')
      expect(refusalOf(past)).toMatchObject({ status: 429, code: 'too-many-requests' })
      expect(Number(past.headers['retry-after'])).toBeGreaterThan(60)
    },
  )

  it('does not count right passwords', async ({ members, logIn }) => {
    const { email } = await members.signUp()
    for (let round = 0; round < 4; round += 1) {
      const replies = await Promise.all(Array.from({ length: 10 }, () => logIn(email, right)))
      expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200))
    }
  })

  it('does not count tries while the hasher is busy', async ({ site, databaseUrl }) => {
    const { passwords: cost, locations } = site.context.config
    const pids: number[] = []
    const onLine = (line: string) => pids.push(z.object({ pid: z.number() }).parse(JSON.parse(line)).pid)
    // Hashes one password at a time and lets none wait.
    const limit = { concurrency: 1, maxQueueLength: 0, hasherFile: locations.hasher }
    const passwords = createPasswords({
      ...cost,
      ...limit,
      logger: pino({ level: 'debug' }, { write: onLine }),
    })
    const busy = await startTestApp({ databaseUrl, working: false, overrides: { passwords } })
    const busyMembers = createTestMembers(busy)
    const { email } = await busyMembers.signUp()
    const logIn = () => busyMembers.call('POST', '/auth/login', { body: { email, password: right } })

    const [pid = 0] = pids
    expect(pid).toBeGreaterThan(0)
    process.kill(pid, 'SIGSTOP')
    const hashing = passwords.hash(right, { networks: ['198.51.100.7'], isKnown: true })
    const codes: string[] = []
    for (let round = 0; round < 21; round += 1) codes.push(refusalOf(await logIn()).code)
    process.kill(pid, 'SIGCONT')
    await hashing
    expect(codes).toEqual(Array(21).fill('service-busy'))
    expect((await logIn()).statusCode).toBe(200)
    await busy.close()
  })

  it('rehashes once when the hash cost is raised', async ({ members, databaseUrl, passwordHashOf }) => {
    const { email } = await members.signUp()
    expect(await passwordHashOf(email)).toMatch(/m=1024,.*t=1\b/)
    const costlier = await startTestApp({
      databaseUrl,
      working: false,
      env: { PASSWORD_MEMORY_KIB: '2048', PASSWORD_PASSES: '2' },
    })
    const costlierMembers = createTestMembers(costlier)
    await costlierMembers.logIn({ email })
    const hash = await passwordHashOf(email)
    expect(hash).toMatch(/m=2048,.*t=2\b/)
    await costlierMembers.logIn({ email })
    await costlier.close()
    expect(await passwordHashOf(email)).toBe(hash)
    // A process with the lower cost accepts the hash unchanged.
    await members.logIn({ email })
    expect(await passwordHashOf(email)).toBe(hash)
  })
})
