import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { createTestMembers, readSession } from '#test/membership.ts'
import { startTestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'

const success = { status: 200, body: '{"success":true}' }

/** Starts a captcha service. Each test sets its response. */
async function startCaptchaService(path: string) {
  let verdict = success
  let requests: Record<string, string>[] = []
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests.push(Object.fromEntries(new URLSearchParams(await text(request))))
    response.writeHead(verdict.status, { connection: 'close' }).end(verdict.body)
  }
  const server = createServer((request, response) => void serve(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return {
    url: `http://127.0.0.1:${port}${path}`,
    /** Returns the received requests, oldest first. */
    requests: () => requests,
    setVerdict(next: typeof success): void {
      verdict = next
    },
    reset(): void {
      verdict = success
      requests = []
    },
    stop(): void {
      server.close()
    },
  }
}

const captcha = { CAPTCHA_SITE_KEY: 'public-key', CAPTCHA_SECRET: 'private-key' }

const it = test
  .extend('path', { scope: 'file' }, '/siteverify')
  .extend('service', { scope: 'file' }, async ({ path }, { onCleanup }) => {
    const service = await startCaptchaService(path)
    onCleanup(() => service.stop())
    return service
  })
  .extend('site', { scope: 'file' }, async ({ service }, { onCleanup }) => {
    const env = { ...captcha, CAPTCHA: 'hcaptcha', CAPTCHA_VERIFY_URL: service.url }
    const site = await startTestApp({ databaseUrl: await createTestDatabase(), env })
    onCleanup(() => site.close())
    return site
  })
  .extend('members', { scope: 'file' }, ({ site }) => createTestMembers(site))
  .extend('signUp', { scope: 'file' }, ({ members }) => {
    let made = 0
    return async (captchaToken?: string): Promise<LightMyRequestResponse> => {
      made += 1
      return await members.call('POST', '/auth/signup', {
        body: { email: `new-${made}@example.com`, password: 'a-long-password', captchaToken },
        from: '203.0.113.7',
      })
    }
  })
  .extend(
    'countAccounts',
    { scope: 'file' },
    ({ site }) =>
      () =>
        site.context.database.db.member.count(),
  )

const unreachableTest = siteTest({
  env: { ...captcha, CAPTCHA: 'turnstile', CAPTCHA_VERIFY_URL: 'http://127.0.0.1:1/siteverify' },
})

describe('POST /auth/signup with a captcha service', () => {
  it.beforeEach(({ service }) => service.reset())

  it('verifies the token at the service and accepts it once', async ({ service, signUp }) => {
    readSession(await signUp('token-1'))
    expect(service.requests()).toEqual([
      { secret: 'private-key', response: 'token-1', remoteip: '203.0.113.7' },
    ])
    expect(refusalOf(await signUp('token-1'))).toMatchObject({ status: 400, code: 'invalid-captcha' })
  })

  it('creates no account for a token that the service rejects', async ({
    service,
    signUp,
    countAccounts,
  }) => {
    service.setVerdict({
      status: 200,
      body: '{"success":false,"error-codes":["invalid-input-response"]}',
    })
    const before = await countAccounts()
    expect(refusalOf(await signUp('token-2'))).toMatchObject({ status: 400, code: 'invalid-captcha' })
    expect(await countAccounts()).toBe(before)
  })

  it('refuses a missing token without calling the service', async ({ service, signUp }) => {
    for (const token of [undefined, '']) expect(refusalOf(await signUp(token)).code).toBe('invalid-captcha')
    expect(service.requests()).toEqual([])
  })

  it.for([
    ['fails', { status: 500, body: '' }],
    ['returns HTML', { status: 200, body: '<html>' }],
    ['rejects our secret', { status: 200, body: '{"success":false,"error-codes":["invalid-input-secret"]}' }],
  ] as const)(
    'returns 503 with Retry-After when the service %s, and accepts the token later',
    async ([_what, fault], { service, signUp, countAccounts }) => {
      service.setVerdict(fault)
      const token = `token of ${fault.status} ${fault.body}`
      const before = await countAccounts()
      const reply = await signUp(token)
      expect(refusalOf(reply)).toMatchObject({ status: 503, code: 'service-unavailable' })
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
      expect(reply.body).not.toMatch(/captcha|secret|private-key/)
      expect(await countAccounts()).toBe(before)
      service.reset()
      readSession(await signUp(token))
    },
  )
})

unreachableTest(
  'POST /auth/signup returns 503 when the captcha service is unreachable',
  async ({ members }) => {
    const reply = await members.call('POST', '/auth/signup', {
      body: { email: 'new@example.com', password: 'a-long-password', captchaToken: 'token' },
    })
    expect(refusalOf(reply)).toMatchObject({ status: 503, code: 'service-unavailable' })
  },
)

it('GET /app returns the captcha to show without its secret', async ({ members }) => {
  const reply = await members.call('GET', '/app')
  expect(reply.json().data).toMatchObject({
    captchaRequired: true,
    captcha: { kind: 'hcaptcha', siteKey: 'public-key' },
  })
  expect(reply.body).not.toContain('private-key')
})

it('GET /auth/captcha/challenge returns 404 with an external captcha service', async ({ site }) => {
  const reply = await site.app.inject({ method: 'GET', url: '/auth/captcha/challenge' })
  expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'not-found' })
})
