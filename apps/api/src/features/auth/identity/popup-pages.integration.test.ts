import { createHash } from 'node:crypto'
import { type SignedIn, signIn } from '@tidings/emulators/identity/sign-in'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureOf, newPerson, type PopupEnd } from '#test/popups.ts'
import { type SignInSite, sessionOf, startSignInSite } from '#test/sign-in-site.ts'
import { startTestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'

let at: SignInSite
beforeAll(async () => {
  at = await startSignInSite()
})
afterAll(() => at.close())

/** Every kind of result page. */
const resultPages: [string, () => Promise<PopupEnd>][] = [
  ['a success', () => at.browser().visit('signup', at.query('local'), { person: 'ada' })],
  ['a refusal', () => at.browser().visit('login', at.query('local'), newPerson('unknown@example.com'))],
  ['a foreign page', () => at.browser().refused('login', at.query('local', { origin: 'evil.example' }))],
  ['an unknown app', () => at.browser().refused('login', { provider: 'local', appId: 'app_x', origin: 'x' })],
  ['an invalid query', () => at.browser().refused('login', {})],
  ['a lost flow', () => at.browser().callback({ url: new URL('/auth-provider/callback/local', siteUrl()) })],
]

function siteUrl(): string {
  return at.site.context.config.site.url.origin
}

describe('the result page of a popup', () => {
  it.each(resultPages)('is not cached and keeps the opener: %s', async (_what, get) => {
    const { headers } = await get()
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cross-origin-opener-policy')).toBeNull()
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  it.each(resultPages)('allows only its own script and style: %s', async (_what, get) => {
    const { headers, html } = await get()
    const hashOf = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1]
    const script = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1]
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      `style-src ${hashOf(style)}`,
      `script-src ${hashOf(script)}`,
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
    expect(script).toContain('postMessage(message, origin)')
    expect(script).not.toContain('*')
    expect(html).not.toMatch(/\son\w+=|\sstyle=|<img|<link|src=|href=/)
  })

  it('escapes text that a member wrote', async () => {
    const name = '</script><script>alert(1)</script><!--<script>'
    const query = at.query('local', { customFields: JSON.stringify({ name }) })
    const end = await at.browser().visit('signup', query, newPerson('markup@example.com'))
    expect(sessionOf(end).member.customFields).toEqual({ name })
    expect(end.html).not.toContain('alert(1)</script>')
    expect(end.html.match(/<script/g)).toHaveLength(2)
  })

  it('shows the error message', async () => {
    const query = at.query('local', { customFields: JSON.stringify({ combinestatus: '<b>' }) })
    const end = await at.browser().visit('signup', query, newPerson('words@example.com'))
    expect(end.html).toContain('<h1>Something went wrong</h1>')
    expect(end.html).toContain(failureOf(end).message)
  })

  it('has the status of its error', async () => {
    const statuses = []
    for (const [, get] of resultPages) statuses.push((await get()).status)
    expect(statuses).toEqual([200, 404, 403, 404, 400, 400])
  })
})

describe('the cookie of a flow', () => {
  it('is HttpOnly, limited to the popup paths and expires after ten minutes', async () => {
    const { headers } = await at.browser().open('login', at.query('local'))
    const [line = '', ...others] = headers.getSetCookie()
    expect(others).toEqual([])
    const [pair, ...flags] = line.split('; ')
    expect(pair).toMatch(/^tidings_flow_[0-9a-f]{12}=[\w-]{22,}$/)
    expect(flags.toSorted()).toEqual(['HttpOnly', 'Max-Age=600', 'Path=/auth-provider', 'SameSite=Lax'])
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  it('is Secure on an HTTPS site', async () => {
    const provider = { key: 'local', name: 'ID', issuer: at.emulators.identityUrl }
    const secure = await startTestApp({
      databaseUrl: await createTestDatabase(),
      working: false,
      env: {
        SITE_URL: 'https://news.example',
        OIDC_PROVIDERS: JSON.stringify([{ ...provider, clientId: 'tidings-local', clientSecret: 'x' }]),
      },
    })
    const query = new URLSearchParams(at.query('local', { origin: 'news.example' }))
    const reply = await secure.app.inject(`/auth-provider/login?${query}`)
    await secure.close()
    expect(String(reply.headers['set-cookie'])).toMatch(/; Secure/)
    const target = new URL(String(reply.headers.location))
    expect(target.searchParams.get('redirect_uri')).toBe('https://news.example/auth-provider/callback/local')
  })
})

describe('the Host header', () => {
  it('does not change the redirect URI', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const query = new URLSearchParams(at.query('local'))
    const reply = await at.site.app.inject({ url: `/auth-provider/login?${query}`, headers })
    expect(reply.headers.location).not.toContain('evil')
    const target = new URL(String(reply.headers.location))
    expect(target.searchParams.get('redirect_uri')).toBe(`${siteUrl()}/auth-provider/callback/local`)
  })

  it('is ignored at the callback', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const query = new URLSearchParams(at.query('local', { allowSignup: 'true' }))
    const begun = await at.site.app.inject({ url: `/auth-provider/login?${query}`, headers })
    const { url } = await signIn(new URL(String(begun.headers.location)), newPerson('host@example.com'))
    const [cookie] = String(begun.headers['set-cookie']).split(';')
    const reply = await at.site.app.inject({
      url: `${url.pathname}${url.search}`,
      headers: { ...headers, cookie },
    })
    expect(reply.statusCode).toBe(200)
    expect(reply.body).not.toContain('evil')
  })
})

describe('a callback by form post', () => {
  it('works like a callback by URL', async () => {
    const browser = at.browser()
    const { atProvider } = await browser.open('signup', at.query('local'))
    const { url } = await signIn(atProvider, newPerson('by-form@example.com'))
    const body = new URLSearchParams(url.search)
    const posted: SignedIn = { url: new URL(url.pathname, url), body }
    expect(sessionOf(await browser.callback(posted)).member.auth.email).toBe('by-form@example.com')
  })

  it.each([
    ['application/json', '{"state":"x"}', 400],
    ['text/plain', 'state=x', 415],
    ['application/x-www-form-urlencoded', `state=${'x'.repeat(300_000)}`, 413],
  ])('gets an error page for %s', async (type, payload, status) => {
    const reply = await at.site.app.inject({
      method: 'POST',
      url: '/auth-provider/callback/local',
      headers: { 'content-type': type },
      payload,
    })
    expect(reply.statusCode).toBe(status)
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.body).toContain('You can close this window.')
  })
})

describe('too many popups', () => {
  it('get an error page with Retry-After, and the opener receives the error', async () => {
    const limited = await startSignInSite({ RATE_LOGINS_PER_MINUTE: '2' })
    const browser = limited.browser()
    for (const _ of [1, 2]) await browser.open('login', limited.query('local'))
    const end = await browser.refused('login', limited.query('local'))
    await limited.close()
    expect(end.status).toBe(429)
    expect(end.origins).not.toEqual([])
    expect(failureOf(end).code).toBe('too-many-requests')
    expect(Number(end.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('the log', () => {
  it('contains no address, code, state, token or secret of any flow', async () => {
    const email = 'quiet@example.com'
    const browser = at.browser()
    const { atProvider } = await browser.open('signup', at.query('local'))
    const back = await signIn(atProvider, newPerson(email))
    const secrets = [
      ...browser.cookies().map((name) => browser.cookie(name) ?? ''),
      ...['state', 'nonce', 'code_challenge'].map((name) => atProvider.searchParams.get(name) ?? ''),
      back.url.searchParams.get('code') ?? '',
    ]
    const { tokens } = sessionOf(await browser.callback(back))
    await at.browser().refused('connect', at.query('local', { member: `${tokens.accessToken}x` }))
    await at.browser().visit('connect', at.query('spare', { member: tokens.accessToken }), newPerson(email))
    await at.browser().visit('login', at.query('local'), { answer: 'cancel' })
    const log = at.log.join('\n')
    expect(log).toContain('provider sign-in refused')
    expect(log).toContain('/auth-provider/callback/:provider')
    for (const secret of [...secrets, tokens.accessToken, email, 'local-secret']) {
      expect(secret.length).toBeGreaterThan(8)
      expect(log).not.toContain(secret)
    }
  })
})
