import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { randomIds } from '#platform/ids.ts'
import { createFixedClock } from '#test/factories/fixed-clock.ts'
import { challengeSchema, type SolvedChallenge, solve, tokenOf } from '#test/sign-in/captcha.ts'
import { createAltchaCaptchaVerifier } from './altcha-captcha-verifier.ts'

const start = new Date('2026-11-20T17:00:00.000Z')
const ip = '127.0.0.1'

function createVerifier(secret = 'a secret of at least thirty-two characters') {
  const clock = createFixedClock(start)
  const claims = new Map<string, Date>()
  const verifier = createAltchaCaptchaVerifier({
    secret,
    clock,
    ids: randomIds,
    async claim(hash, expiresAt) {
      if (claims.has(hash)) return false
      claims.set(hash, expiresAt)
      return true
    },
  })
  return { verifier, claims, pass: (ms: number) => clock.moveTo(new Date(start.getTime() + ms)) }
}

let solved: SolvedChallenge
let captcha: ReturnType<typeof createVerifier>
beforeAll(async () => {
  solved = await solve(await createVerifier().verifier.challenge())
})
beforeEach(() => {
  captcha = createVerifier()
})

describe('challenge', () => {
  it('returns a different challenge with its expiry each time', async () => {
    const [one, other] = [await captcha.verifier.challenge(), await captcha.verifier.challenge()]
    expect(challengeSchema.parse(one).parameters.expiresAt).toBe(start.getTime() / 1000 + 600)
    expect(challengeSchema.parse(one).signature).not.toBe(challengeSchema.parse(other).signature)
  })
})

describe('verify', () => {
  it('accepts a solution', async () => {
    expect(await captcha.verifier.verify(tokenOf(solved), ip)).toBe(true)
    expect([...captcha.claims.values()]).toEqual([new Date(start.getTime() + 600_000)])
  })

  it('accepts a solution once, in any encoding', async () => {
    expect(await captcha.verifier.verify(tokenOf(solved), ip)).toBe(true)
    expect(await captcha.verifier.verify(tokenOf(solved), ip)).toBe(false)
    expect(await captcha.verifier.verify(tokenOf({ ...solved, took: 3 }), ip)).toBe(false)
    const { solution } = solved
    const turned = { solution: { derivedKey: solution.derivedKey, counter: 1 }, challenge: solved.challenge }
    expect(await captcha.verifier.verify(tokenOf(turned), ip)).toBe(false)
  })

  it('accepts a solution once under concurrent requests', async () => {
    const verdicts = await Promise.all(
      Array.from({ length: 10 }, () => captcha.verifier.verify(tokenOf(solved), ip)),
    )
    expect(verdicts.filter(Boolean)).toHaveLength(1)
  })

  it('accepts a solution for ten minutes', async () => {
    captcha.pass(600_000)
    expect(await captcha.verifier.verify(tokenOf(solved), ip)).toBe(false)
    captcha.pass(599_999)
    expect(await captcha.verifier.verify(tokenOf(solved), ip)).toBe(true)
  })

  it('rejects a challenge signed with another secret', async () => {
    const foreign = createVerifier('another secret of thirty-two characters')
    expect(await foreign.verifier.verify(tokenOf(solved), ip)).toBe(false)
    expect(foreign.claims.size).toBe(0)
  })

  it('rejects an altered or unsigned challenge', async () => {
    const { challenge, solution } = solved
    const withParameters = (changed: object) => ({
      challenge: { ...challenge, parameters: { ...challenge.parameters, ...changed } },
      solution,
    })
    const altered = [
      withParameters({ keyPrefix: '00' }),
      withParameters({ cost: 1 }),
      withParameters({ data: { expiresAt: 99_999_999_999 } }),
      withParameters({ nonce: '00'.repeat(16) }),
      withParameters({ keySignature: 'f'.repeat(64) }),
      withParameters({ keySignature: undefined }),
      { challenge: { ...challenge, signature: '' }, solution },
      { challenge: { ...challenge, signature: undefined }, solution },
      { challenge: { parameters: challenge.parameters }, solution },
      { challenge: { ...challenge, signature: challenge.signature.toUpperCase() }, solution },
    ]
    for (const one of altered) expect(await captcha.verifier.verify(tokenOf(one), ip)).toBe(false)
    expect(captcha.claims.size).toBe(0)
  })

  it('ignores the expiry that pages see', async () => {
    const parameters = { ...solved.challenge.parameters, expiresAt: 99_999_999_999 }
    captcha.pass(600_000)
    const longer = { ...solved, challenge: { ...solved.challenge, parameters } }
    expect(await captcha.verifier.verify(tokenOf(longer), ip)).toBe(false)
  })

  it('rejects a wrong solution', async () => {
    const { challenge } = solved
    const wrong = [
      { counter: 1, derivedKey: '00'.repeat(32) },
      { counter: solved.solution.counter, derivedKey: challenge.parameters.keyPrefix.padEnd(64, '0') },
      { counter: -1, derivedKey: solved.solution.derivedKey },
      { counter: 1, derivedKey: '' },
    ]
    for (const solution of wrong) {
      expect(await captcha.verifier.verify(tokenOf({ challenge, solution }), ip)).toBe(false)
    }
  })

  test.each([
    ['nothing', ''],
    ['not base64', '%%%'],
    ['not JSON', Buffer.from('{').toString('base64')],
    ['null', tokenOf(null)],
    ['a list', tokenOf([])],
    ['a number', tokenOf(7)],
    ['empty parts', tokenOf({ challenge: {}, solution: {} })],
    ['parts of the wrong type', tokenOf({ challenge: { parameters: [], signature: {} }, solution: 'x' })],
    ['a prototype', Buffer.from('{"__proto__":{"challenge":{}},"constructor":1}').toString('base64')],
  ])('rejects %s', async (_name, token) => {
    expect(await captcha.verifier.verify(token, ip)).toBe(false)
  })

  it('rejects a huge token, even a valid one', async () => {
    const token = tokenOf({ ...solved, padding: 'x'.repeat(5_000_000) })
    expect(await captcha.verifier.verify(token, ip)).toBe(false)
    expect(captcha.claims.size).toBe(0)
  })
})
