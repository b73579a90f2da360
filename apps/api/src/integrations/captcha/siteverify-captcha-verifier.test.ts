import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { createFixedClock } from '#platform/clock.ts'
import { CaptchaUnavailableError } from './captcha-verifier.ts'
import { createSiteverifyCaptchaVerifier, type SiteverifyKind } from './siteverify-captcha-verifier.ts'

const start = new Date('2026-11-20T17:00:00.000Z')
const ip = '203.0.113.7'

const closes: (() => void)[] = []
afterEach(() => {
  for (const close of closes.splice(0)) close()
})

type Answer = { status?: number; body: string; location?: string }

/** A service that gives the same answer to everybody and keeps what it was asked. */
async function startService({ status = 200, body, location }: Answer) {
  const asked: { method: string; type: string; fields: Record<string, string> }[] = []
  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    asked.push({
      method: request.method ?? '',
      type: request.headers['content-type'] ?? '',
      fields: Object.fromEntries(new URLSearchParams(await text(request))),
    })
    response.writeHead(status, location === undefined ? {} : { location }).end(body)
  }
  const server = createServer((request, response) => void reply(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closes.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return { asked, url: `http://127.0.0.1:${port}/siteverify` }
}

function createVerifier(url: string, options: { kind?: SiteverifyKind; hostnames?: string[] } = {}) {
  const claims = new Map<string, Date>()
  const verifier = createSiteverifyCaptchaVerifier({
    kind: 'hcaptcha',
    siteKey: 'public-key',
    secret: 'private-key',
    url,
    clock: createFixedClock(start),
    async claim(hash, expiresAt) {
      if (claims.has(hash)) return false
      claims.set(hash, expiresAt)
      return true
    },
    ...options,
  })
  return { verifier, claims }
}

const yes = { body: JSON.stringify({ success: true, hostname: 'news.example.com' }) }

describe('verify', () => {
  it('puts secret, token and address to the service as a form', async () => {
    const { asked, url } = await startService(yes)
    const { verifier, claims } = createVerifier(url)
    expect(await verifier.verify('token-1', ip)).toBe(true)
    expect(asked).toEqual([
      {
        method: 'POST',
        type: 'application/x-www-form-urlencoded;charset=UTF-8',
        fields: { secret: 'private-key', response: 'token-1', remoteip: ip },
      },
    ])
    expect([...claims.values()]).toEqual([new Date('2026-11-20T17:10:00.000Z')])
    expect([...claims.keys()].join()).not.toContain('token-1')
  })

  it('takes a token once, even from a service that takes it again', async () => {
    const { url } = await startService(yes)
    const { verifier } = createVerifier(url)
    const verdicts = await Promise.all(Array.from({ length: 5 }, () => verifier.verify('token-1', ip)))
    expect(verdicts.filter(Boolean)).toHaveLength(1)
    expect(await verifier.verify('token-1', ip)).toBe(false)
    expect(await verifier.verify('token-2', ip)).toBe(true)
  })

  it('refuses what the service refuses, and claims nothing', async () => {
    const { url } = await startService({
      body: JSON.stringify({ success: false, 'error-codes': ['invalid-input-response'] }),
    })
    const { verifier, claims } = createVerifier(url)
    expect(await verifier.verify('altered', ip)).toBe(false)
    expect(claims.size).toBe(0)
  })

  test.each([
    ['news.example.com', true],
    ['other.example.com', false],
    [undefined, false],
    [null, false],
  ])('with hosts named, a token solved on %s is taken: %s', async (hostname, isTaken) => {
    const { url } = await startService({ body: JSON.stringify({ success: true, hostname }) })
    const { verifier } = createVerifier(url, { hostnames: ['news.example.com', 'www.example.com'] })
    expect(await verifier.verify('token-1', ip)).toBe(isTaken)
  })

  test.each([
    ['nothing', ''],
    ['a huge token', 'x'.repeat(10_001)],
  ])('refuses %s, without asking', async (_name, token) => {
    const { asked, url } = await startService(yes)
    expect(await createVerifier(url).verifier.verify(token, ip)).toBe(false)
    expect(asked).toEqual([])
  })

  test.each([
    ['a failure of the service', { status: 500, body: '{"success":true}' }, 'status 500'],
    ['a page instead of an answer', { body: '<html>' }, 'the answer cannot be read'],
    ['an answer of another shape', { body: '{"success":"true"}' }, 'the answer cannot be read'],
    ['no JSON object', { body: 'null' }, 'the answer cannot be read'],
    ['a way elsewhere', { status: 307, body: '', location: '/elsewhere' }, 'no answer'],
    [
      'a secret that is wrong',
      { body: '{"success":false,"error-codes":["invalid-input-secret"]}' },
      'invalid-input-secret',
    ],
  ])('cannot tell after %s', async (_name, answer, reason) => {
    const { url } = await startService(answer)
    const { verifier, claims } = createVerifier(url)
    const verdict = verifier.verify('token-1', ip)
    await expect(verdict).rejects.toThrow(CaptchaUnavailableError)
    await expect(verdict).rejects.toThrow(`The captcha could not be checked: ${reason}`)
    expect(claims.size).toBe(0)
  })

  it('cannot tell when nobody answers', async () => {
    const { verifier } = createVerifier('http://127.0.0.1:1/siteverify')
    await expect(verifier.verify('token-1', ip)).rejects.toThrow(
      'The captcha could not be checked: no answer',
    )
  })
})

test.each(['hcaptcha', 'turnstile', 'recaptcha'] as const)('%s tells the page its kind and key', (kind) => {
  const { verifier } = createVerifier('http://127.0.0.1:1/', { kind })
  expect(verifier).toMatchObject({ kind, siteKey: 'public-key' })
  expect(verifier.challenge).toBeUndefined()
})
