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

const yes = { status: 200, body: '{"success":true}' }

let service: Server
let answer = yes
let asked: Record<string, string>[] = []
let site: TestApp
let members: TestMembers
let made = 0

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  asked.push(Object.fromEntries(new URLSearchParams(await text(request))))
  response.writeHead(answer.status, { connection: 'close' }).end(answer.body)
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
  answer = yes
  asked = []
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

describe('POST /auth/signup with a captcha of a service', () => {
  it('puts the token to the service, and takes it once', async () => {
    readSession(await signUp('token-1'))
    expect(asked).toEqual([{ secret: 'private-key', response: 'token-1', remoteip: '203.0.113.7' }])
    expect(refusalOf(await signUp('token-1'))).toMatchObject({ status: 400, code: 'invalid-captcha' })
  })

  it('makes no account with a token that the service refuses', async () => {
    answer = { status: 200, body: '{"success":false,"error-codes":["invalid-input-response"]}' }
    const before = await accounts()
    expect(refusalOf(await signUp('token-2'))).toMatchObject({ status: 400, code: 'invalid-captcha' })
    expect(await accounts()).toBe(before)
  })

  it('asks the service about no token that is none', async () => {
    for (const token of [undefined, '']) expect(refusalOf(await signUp(token)).code).toBe('invalid-captcha')
    expect(asked).toEqual([])
  })

  it.each([
    ['fails', { status: 500, body: '' }],
    ['answers nonsense', { status: 200, body: '<html>' }],
    [
      'does not know our secret',
      { status: 200, body: '{"success":false,"error-codes":["invalid-input-secret"]}' },
    ],
  ])(
    'says that it is a matter of time when the service %s, and takes the token later',
    async (_what, fault) => {
      answer = fault
      const token = `token of ${fault.status} ${fault.body}`
      const before = await accounts()
      const reply = await signUp(token)
      expect(refusalOf(reply)).toMatchObject({ status: 503, code: 'service-unavailable' })
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
      expect(reply.body).not.toMatch(/captcha|secret|private-key/)
      expect(await accounts()).toBe(before)
      answer = yes
      readSession(await signUp(token))
    },
  )

  it('says the same when nobody answers', async () => {
    const away = await startTestApp({
      databaseUrl: await createTestDatabase(),
      env: {
        CAPTCHA: 'turnstile',
        CAPTCHA_SITE_KEY: 'public-key',
        CAPTCHA_SECRET: 'private-key',
        CAPTCHA_VERIFY_URL: 'http://127.0.0.1:1/siteverify',
      },
    })
    const reply = await createTestMembers(away).call('POST', '/auth/signup', {
      body: { email: 'new@example.com', password: 'a-long-password', captchaToken: 'token' },
    })
    await away.close()
    expect(refusalOf(reply)).toMatchObject({ status: 503, code: 'service-unavailable' })
  })
})

it('GET /app tells which captcha to show, and nothing of its secret', async () => {
  const reply = await members.call('GET', '/app')
  expect(reply.json().data).toMatchObject({
    captchaRequired: true,
    captcha: { kind: 'hcaptcha', siteKey: 'public-key' },
  })
  expect(reply.body).not.toContain('private-key')
})

it('GET /auth/captcha/challenge answers that there is none of ours', async () => {
  const reply = await site.app.inject({ method: 'GET', url: '/auth/captcha/challenge' })
  expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'not-found' })
})
