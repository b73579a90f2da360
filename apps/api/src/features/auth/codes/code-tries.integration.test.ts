import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { mailTest, secondProcess } from '#test/fixtures.ts'
import {
  type CodePurpose,
  codeKinds,
  codePurposes,
  createCodeFlows,
  otherCode,
} from '#test/sign-in/code-flows.ts'

/** The network of a new device. */
const requester = '203.0.113.9'
const env = { RATE_CODE_TRIES_IN_ALL_PER_HOUR: '24' }
const it = mailTest({ env })
  .extend('second', { scope: 'file' }, secondProcess({ working: false, env }))
  .extend('secondFlows', { scope: 'file' }, ({ second, inbox }) => createCodeFlows(second, inbox))
  // Sends concurrent guesses from as many networks, alternating between the two processes.
  .extend('guessInParallel', { scope: 'file' }, ({ site, second, flows, secondFlows }) => {
    return (purpose: CodePurpose, email: string, code: string) => {
      second.clock.moveTo(site.clock.now())
      return Promise.all(
        Array.from({ length: 28 }, (_, index) =>
          (index % 2 === 0 ? flows : secondFlows).use(purpose, email, otherCode(code, index + 1), {
            from: `10.${index}.0.7`,
          }),
        ),
      )
    }
  })
  .extend('triesOf', { scope: 'file' }, ({ db }) => async (email: string, purpose: CodePurpose) => {
    const row = await db.oneTimeCode.findFirstOrThrow({
      where: { email, purpose, codeHash: { not: null } },
      orderBy: { createdAt: 'desc' },
    })
    return row.tries
  })

describe.each(codePurposes)('guessing a %s code', (purpose) => {
  const { refusal } = codeKinds[purpose]
  const address = (name: string) => `${name}-${purpose}@example.com`

  it('accepts the right code at the fifth try', async ({ flows }) => {
    const email = address('fifth')
    const code = await flows.code(purpose, email)
    for (const distance of [1, 2, 3, 4]) await flows.use(purpose, email, otherCode(code, distance))
    expect((await flows.use(purpose, email, code)).statusCode).toBe(200)
  })

  it('ends the code for the network after five wrong guesses, malformed ones included', async ({ flows }) => {
    const email = address('sixth')
    const code = await flows.code(purpose, email)
    for (const guess of [otherCode(code, 1), '1', 'abc', otherCode(code, 2), '']) {
      await flows.use(purpose, email, guess)
    }
    expect(refusalOf(await flows.use(purpose, email, code))).toMatchObject({ status: 400, code: refusal })
    expect((await flows.use(purpose, email, code, { from: '10.99.0.1' })).statusCode).toBe(200)
  })

  it('is limited to twenty-four concurrent tries from unknown networks on two processes', async ({
    flows,
    guessInParallel,
    triesOf,
  }) => {
    const email = address('crowd')
    const code = await flows.code(purpose, email, { from: requester })
    const replies = await guessInParallel(purpose, email, code)
    expect(new Set(replies.map((reply) => refusalOf(reply).code))).toEqual(new Set([refusal]))
    expect(await triesOf(email, purpose)).toBe(24)
    const late = await flows.use(purpose, email, code, { from: '10.99.0.1' })
    expect(refusalOf(late)).toMatchObject({ code: refusal })
    expect((await flows.use(purpose, email, code, { from: requester })).statusCode).toBe(200)
  })

  it('counts for the next code of the hour too', async ({ flows, guessInParallel }) => {
    const email = address('next')
    await guessInParallel(purpose, email, await flows.code(purpose, email))
    const code = await flows.code(purpose, email, { from: requester })
    const late = await flows.use(purpose, email, code, { from: '10.99.0.1' })
    expect(refusalOf(late)).toMatchObject({ code: refusal })
    expect((await flows.use(purpose, email, code, { from: requester })).statusCode).toBe(200)
  })

  it('costs nothing before a code was requested', async ({ flows, guessInParallel, triesOf }) => {
    const email = address('early')
    await flows.code(purpose, email)
    flows.pass(2 * 3600)
    await guessInParallel(purpose, email, '123456')
    const code = await flows.code(purpose, email)
    expect(await triesOf(email, purpose)).toBe(0)
    expect((await flows.use(purpose, email, code, { from: '10.99.0.1' })).statusCode).toBe(200)
  })

  it('is limited to twenty tries of an IPv6 /48 with many networks', async ({ flows, triesOf }) => {
    const email = address('wide')
    const code = await flows.code(purpose, email)
    for (let index = 0; index < 26; index += 1) {
      const from = `2001:db8:9:${(index * 0x101).toString(16)}::1`
      await flows.use(purpose, email, otherCode(code, index + 1), { from })
    }
    expect(await triesOf(email, purpose)).toBe(20)
    expect((await flows.use(purpose, email, code, { from: '10.99.0.1' })).statusCode).toBe(200)
  })

  it('is limited to five concurrent tries from one network on two processes', async ({
    site,
    second,
    flows,
    secondFlows,
    triesOf,
  }) => {
    const email = address('network')
    const code = await flows.code(purpose, email)
    second.clock.moveTo(site.clock.now())
    const sameNetwork = ['198.51.100.7', '::ffff:198.51.100.7', '::ffff:c633:6407']
    await Promise.all(
      [flows, secondFlows].flatMap((either) =>
        [1, 2, 3, 4, 5, 6].map((distance) =>
          either.use(purpose, email, otherCode(code, distance), { from: sameNetwork[distance % 3] ?? '' }),
        ),
      ),
    )
    expect(await triesOf(email, purpose)).toBe(5)
  })

  it('is possible again only with a new code', async ({ flows }) => {
    const email = address('anew')
    const code = await flows.code(purpose, email)
    for (const distance of [1, 2, 3, 4, 5]) await flows.use(purpose, email, otherCode(code, distance))
    const next = await flows.code(purpose, email)
    expect((await flows.use(purpose, email, next)).statusCode).toBe(200)
  })

  it('leaves the code of another address valid', async ({ flows, guessInParallel }) => {
    const code = await flows.code(purpose, address('quiet'))
    await flows.mail(purpose, address('loud'))
    await guessInParallel(purpose, address('loud'), code)
    expect((await flows.use(purpose, address('quiet'), code)).statusCode).toBe(200)
  })

  it('returns the same error for an address without a code', async ({ guessInParallel }) => {
    const replies = await guessInParallel(purpose, address('unrequested'), '123456')
    expect(new Set(replies.map((reply) => refusalOf(reply).code))).toEqual(new Set([refusal]))
  })
})
