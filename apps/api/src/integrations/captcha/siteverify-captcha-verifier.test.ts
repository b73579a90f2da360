import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { createFixedClock } from '#test/factories/fixed-clock.ts'
import { CaptchaUnavailableError } from './captcha-verifier.ts'
import { createSiteverifyCaptchaVerifier, type SiteverifyKind } from './siteverify-captcha-verifier.ts'

const start = new Date('2026-11-20T17:00:00.000Z')
const ip = '203.0.113.7'

const closes: (() => void)[] = []
afterEach(() => {
  for (const close of closes.splice(0)) close()
})

type ServiceResponse = { status?: number; body: string; location?: string }

/** Starts a service that returns one response and records its requests. */
async function startService({ status = 200, body, location }: ServiceResponse) {
  const requests: { method: string; type: string; fields: Record<string, string> }[] = []
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests.push({
      method: request.method ?? '',
      type: request.headers['content-type'] ?? '',
      fields: Object.fromEntries(new URLSearchParams(await text(request))),
    })
    response.writeHead(status, location === undefined ? {} : { location }).end(body)
  }
  const server = createServer((request, response) => void respond(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closes.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return { requests, url: `http://127.0.0.1:${port}/siteverify` }
}

function createVerifier(url: string, options: { kind?: SiteverifyKind } = {}) {
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
  it('sends secret, token and address to the service as a form', async () => {
    const { requests, url } = await startService(yes)
    const { verifier, claims } = createVerifier(url)
    expect(await verifier.verify('token-1', ip)).toBe(true)
    expect(requests).toEqual([
      {
        method: 'POST',
        type: 'application/x-www-form-urlencoded;charset=UTF-8',
        fields: { secret: 'private-key', response: 'token-1', remoteip: ip },
      },
    ])
    expect([...claims.values()]).toEqual([new Date('2026-11-20T17:10:00.000Z')])
    expect([...claims.keys()].join()).not.toContain('token-1')
  })

  it('accepts a token once, even if the service accepts it again', async () => {
    const { url } = await startService(yes)
    const { verifier } = createVerifier(url)
    const verdicts = await Promise.all(Array.from({ length: 5 }, () => verifier.verify('token-1', ip)))
    expect(verdicts.filter(Boolean)).toHaveLength(1)
    expect(await verifier.verify('token-1', ip)).toBe(false)
    expect(await verifier.verify('token-2', ip)).toBe(true)
  })

  it('rejects a token that the service rejects, without claiming it', async () => {
    const { url } = await startService({
      body: JSON.stringify({ success: false, 'error-codes': ['invalid-input-response'] }),
    })
    const { verifier, claims } = createVerifier(url)
    expect(await verifier.verify('altered', ip)).toBe(false)
    expect(claims.size).toBe(0)
  })

  test.each([
    ['nothing', ''],
    ['a huge token', 'x'.repeat(10_001)],
  ])('rejects %s without a request', async (_name, token) => {
    const { requests, url } = await startService(yes)
    expect(await createVerifier(url).verifier.verify(token, ip)).toBe(false)
    expect(requests).toEqual([])
  })

  test.each([
    ['a server error', { status: 500, body: '{"success":true}' }, 'status 500'],
    ['an HTML response', { body: '<html>' }, 'the response cannot be read'],
    ['a response of another shape', { body: '{"success":"true"}' }, 'the response cannot be read'],
    ['null', { body: 'null' }, 'the response cannot be read'],
    ['a redirect', { status: 307, body: '', location: '/elsewhere' }, 'no response'],
    [
      'a wrong secret',
      { body: '{"success":false,"error-codes":["invalid-input-secret"]}' },
      'invalid-input-secret',
    ],
  ])('is unavailable after %s', async (_name, response, reason) => {
    const { url } = await startService(response)
    const { verifier, claims } = createVerifier(url)
    const verdict = verifier.verify('token-1', ip)
    await expect(verdict).rejects.toThrow(CaptchaUnavailableError)
    await expect(verdict).rejects.toThrow(`The captcha could not be checked: ${reason}`)
    expect(claims.size).toBe(0)
  })

  it('is unavailable when the connection is refused', async () => {
    const { verifier } = createVerifier('http://127.0.0.1:1/siteverify')
    await expect(verifier.verify('token-1', ip)).rejects.toThrow(
      'The captcha could not be checked: no response',
    )
  })
})

test.each(['hcaptcha', 'turnstile', 'recaptcha'] as const)(
  '%s exposes its kind and site key to the page',
  (kind) => {
    const { verifier } = createVerifier('http://127.0.0.1:1/', { kind })
    expect(verifier).toMatchObject({ kind, siteKey: 'public-key' })
    expect(verifier.challenge).toBeUndefined()
  },
)
