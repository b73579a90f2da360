import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { refusalOf } from '#test/desk.ts'
import { createTestMembers, readSession, type TestMembers } from '#test/membership.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'

const success = { status: 200, body: '{"success":true}' }

let service: Server
let verdict = success
let requests: Record<string, string>[] = []
let site: TestApp
let members: TestMembers
let made = 0

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  requests.push(Object.fromEntries(new URLSearchParams(await text(request))))
  response.writeHead(verdict.status, { connection: 'close' }).end(verdict.body)
}

beforeAll(async () => {
  service = createServer((request, response) => void serve(request, response))
  await once(service.listen(0, '127.0.0.1'), 'listening')
  const { port } = z.object({ port: z.number() }).parse(service.address())
  site = await startTestApp({
    databaseUrl: await createTestDatabase(),
    env: {
      CAPTCHA: 'hcaptcha',
      CAPTCHA_SITE_KEY: 'public-key',
      CAPTCHA_SECRET: 'private-key',
      CAPTCHA_VERIFY_URL: `http://127.0.0.1:${port}/siteverify`,
    },
  })
  members = createTestMembers(site)
})
afterAll(async () => {
  await site.close()
  service.close()
})
beforeEach(() => {
  verdict = success
  requests = []
})

async function signUp(captchaToken?: string): Promise<LightMyRequestResponse> {
  made += 1
  return await members.call('POST', '/auth/signup', {
    body: { email: `new-${made}@example.com`, password: 'a-long-password', captchaToken },
    from: '203.0.113.7',
  })
}

async function accounts(): Promise<number> {
  return await site.context.database.db.member.count()
}

describe('POST /auth/signup with a captcha service', () => {
  it('verifies the token at the service and accepts it once', async () => {
    readSession(await signUp('token-1'))
    expect(requests).toEqual([{ secret: 'private-key', response: 'token-1', remoteip: '203.0.113.7' }])
    expect(refusalOf(await signUp('token-1'))).toMatchObject({ status: 400, code: 'invalid-captcha' })
  })

  it('creates no account for a token that the service rejects', async () => {
    verdict = { status: 200, body: '{"success":false,"error-codes":["invalid-input-response"]}' }
    const before = await accounts()
    expect(refusalOf(await signUp('token-2'))).toMatchObject({ status: 400, code: 'invalid-captcha' })
    expect(await accounts()).toBe(before)
  })

  it('refuses a missing token without calling the service', async () => {
    for (const token of [undefined, '']) expect(refusalOf(await signUp(token)).code).toBe('invalid-captcha')
    expect(requests).toEqual([])
  })

  it.each([
    ['fails', { status: 500, body: '' }],
    ['returns HTML', { status: 200, body: '<html>' }],
    ['rejects our secret', { status: 200, body: '{"success":false,"error-codes":["invalid-input-secret"]}' }],
  ])(
    'returns 503 with Retry-After when the service %s, and accepts the token later',
    async (_what, fault) => {
      verdict = fault
      const token = `token of ${fault.status} ${fault.body}`
      const before = await accounts()
      const reply = await signUp(token)
      expect(refusalOf(reply)).toMatchObject({ status: 503, code: 'service-unavailable' })
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
      expect(reply.body).not.toMatch(/captcha|secret|private-key/)
      expect(await accounts()).toBe(before)
      verdict = success
      readSession(await signUp(token))
    },
  )

  it('returns 503 when the service is unreachable', async () => {
    const unreachable = await startTestApp({
      databaseUrl: await createTestDatabase(),
      env: {
        CAPTCHA: 'turnstile',
        CAPTCHA_SITE_KEY: 'public-key',
        CAPTCHA_SECRET: 'private-key',
        CAPTCHA_VERIFY_URL: 'http://127.0.0.1:1/siteverify',
      },
    })
    const reply = await createTestMembers(unreachable).call('POST', '/auth/signup', {
      body: { email: 'new@example.com', password: 'a-long-password', captchaToken: 'token' },
    })
    await unreachable.close()
    expect(refusalOf(reply)).toMatchObject({ status: 503, code: 'service-unavailable' })
  })
})

it('GET /app returns the captcha to show without its secret', async () => {
  const reply = await members.call('GET', '/app')
  expect(reply.json().data).toMatchObject({
    captchaRequired: true,
    captcha: { kind: 'hcaptcha', siteKey: 'public-key' },
  })
  expect(reply.body).not.toContain('private-key')
})

it('GET /auth/captcha/challenge returns 404 with an external captcha service', async () => {
  const reply = await site.app.inject({ method: 'GET', url: '/auth/captcha/challenge' })
  expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'not-found' })
})
