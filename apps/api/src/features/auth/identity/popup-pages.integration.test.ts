import { createHash } from 'node:crypto'
import { signIn as completeSignIn, type SignedIn } from '@tidings/emulators/identity/sign-in'
import { describe, expect } from 'vitest'
import { signInTest } from '#test/fixtures.ts'
import { failureOf, newPerson, type PopupEnd } from '#test/sign-in/popups.ts'
import { type SignInSite, sessionOf } from '#test/sites/sign-in-site.ts'
import { useTestApp } from '#test/test-app.ts'

/** Every kind of result page. */
const resultPages: [what: string, open: (signIn: SignInSite) => Promise<PopupEnd>][] = [
  ['a success', ({ browser, query }) => browser().visit('signup', query('local'), { person: 'ada' })],
  [
    'a refusal',
    ({ browser, query }) => browser().visit('login', query('local'), newPerson('unknown@example.com')),
  ],
  [
    'a foreign page',
    ({ browser, query }) => browser().refused('login', query('local', { origin: 'evil.example' })),
  ],
  [
    'an unknown app',
    ({ browser }) => browser().refused('login', { provider: 'local', appId: 'app_x', origin: 'x' }),
  ],
  ['an invalid query', ({ browser }) => browser().refused('login', {})],
  [
    'a lost flow',
    ({ browser, site }) => {
      const { url } = site.context.config.site
      return browser().callback({ url: new URL('/auth-provider/callback/local', url) })
    },
  ],
]

const it = signInTest()

describe('the result page of a popup', () => {
  it.for(resultPages)('is not cached and keeps the opener: %s', async ([_what, open], { signIn }) => {
    const { headers } = await open(signIn)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cross-origin-opener-policy')).toBeNull()
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  it.for(resultPages)(
    'allows only its own script, style and fonts: %s',
    async ([_what, open], { signIn }) => {
      const { headers, html } = await open(signIn)
      const hashOf = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
      const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1]
      const script = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1]
      expect(headers.get('content-security-policy')?.split('; ')).toEqual([
        "default-src 'none'",
        `style-src ${hashOf(style)}`,
        "font-src 'self'",
        `script-src ${hashOf(script)}`,
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ])
      expect(script).toContain('postMessage(message, origin)')
      expect(script).not.toContain('*')
      expect(html).not.toMatch(/\son\w+=|\sstyle=|<img|<link|src=|href=/)
    },
  )

  it('escapes text that a member wrote', async ({ signIn }) => {
    const name = '</script><script>alert(1)</script><!--<script>'
    const query = signIn.query('local', { customFields: JSON.stringify({ name }) })
    const end = await signIn.browser().visit('signup', query, newPerson('markup@example.com'))
    expect(sessionOf(end).member.customFields).toEqual({ name })
    expect(end.html).not.toContain('alert(1)</script>')
    expect(end.html.match(/<script/g)).toHaveLength(2)
  })

  it('shows the error message', async ({ signIn }) => {
    const query = signIn.query('local', { customFields: JSON.stringify({ combinestatus: '<b>' }) })
    const end = await signIn.browser().visit('signup', query, newPerson('words@example.com'))
    expect(end.html).toContain('<h1>That didn’t work</h1>')
    expect(end.html).toContain(failureOf(end).message)
  })

  it('has the status of its error', async ({ signIn }) => {
    const statuses = []
    for (const [, open] of resultPages) statuses.push((await open(signIn)).status)
    expect(statuses).toEqual([200, 404, 403, 404, 400, 400])
  })
})

describe('the cookie of a flow', () => {
  it('is HttpOnly, limited to the popup paths and expires after ten minutes', async ({ signIn }) => {
    const { headers } = await signIn.browser().open('login', signIn.query('local'))
    const [line = '', ...others] = headers.getSetCookie()
    expect(others).toEqual([])
    const [pair, ...flags] = line.split('; ')
    expect(pair).toMatch(/^tidings_flow_[0-9a-f]{12}=[\w-]{22,}$/)
    expect(flags.toSorted()).toEqual(['HttpOnly', 'Max-Age=600', 'Path=/auth-provider', 'SameSite=Lax'])
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  it('is Secure on an HTTPS site', async ({ signIn }) => {
    const provider = { key: 'local', name: 'ID', issuer: signIn.emulators.identityUrl }
    const secure = await useTestApp({
      working: false,
      env: {
        SITE_URL: 'https://news.example',
        OIDC_PROVIDERS: JSON.stringify([{ ...provider, clientId: 'tidings-local', clientSecret: 'x' }]),
      },
    })
    const query = new URLSearchParams(signIn.query('local', { origin: 'news.example' }))
    const reply = await secure.app.inject(`/auth-provider/login?${query}`)
    expect(String(reply.headers['set-cookie'])).toMatch(/; Secure/)
    const target = new URL(String(reply.headers.location))
    expect(target.searchParams.get('redirect_uri')).toBe('https://news.example/auth-provider/callback/local')
  })
})

describe('the Host header', () => {
  it('does not change the redirect URI', async ({ signIn, site }) => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const query = new URLSearchParams(signIn.query('local'))
    const reply = await site.app.inject({ url: `/auth-provider/login?${query}`, headers })
    expect(reply.headers.location).not.toContain('evil')
    const target = new URL(String(reply.headers.location))
    expect(target.searchParams.get('redirect_uri')).toBe(
      `${site.context.config.site.url.origin}/auth-provider/callback/local`,
    )
  })

  it('is ignored at the callback', async ({ signIn, site }) => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const query = new URLSearchParams(signIn.query('local', { allowSignup: 'true' }))
    const begun = await site.app.inject({ url: `/auth-provider/login?${query}`, headers })
    const { url } = await completeSignIn(
      new URL(String(begun.headers.location)),
      newPerson('host@example.com'),
    )
    const [cookie] = String(begun.headers['set-cookie']).split(';')
    const reply = await site.app.inject({
      url: `${url.pathname}${url.search}`,
      headers: { ...headers, cookie },
    })
    expect(reply.statusCode).toBe(200)
    expect(reply.body).not.toContain('evil')
  })
})

describe('a callback by form post', () => {
  it('works like a callback by URL', async ({ signIn }) => {
    const browser = signIn.browser()
    const { atProvider } = await browser.open('signup', signIn.query('local'))
    const { url } = await completeSignIn(atProvider, newPerson('by-form@example.com'))
    const body = new URLSearchParams(url.search)
    const posted: SignedIn = { url: new URL(url.pathname, url), body }
    expect(sessionOf(await browser.callback(posted)).member.auth.email).toBe('by-form@example.com')
  })

  it.for([
    ['application/json', '{"state":"x"}', 400],
    ['text/plain', 'state=x', 415],
    ['application/x-www-form-urlencoded', `state=${'x'.repeat(300_000)}`, 413],
  ] as const)('gets an error page for %s', async ([type, payload, status], { site }) => {
    const reply = await site.app.inject({
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
  it('get an error page with Retry-After, and the opener receives the error', async ({
    site,
    signIn,
    db,
  }) => {
    await db.rateLimit.deleteMany()
    site.limitCalls('logins', 2)
    const browser = signIn.browser()
    for (const _ of [1, 2]) await browser.open('login', signIn.query('local'))
    const end = await browser.refused('login', signIn.query('local'))
    expect(end.status).toBe(429)
    expect(end.origins).not.toEqual([])
    expect(failureOf(end).code).toBe('too-many-requests')
    expect(Number(end.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('the log', () => {
  it('contains no address, code, state, token or secret of any flow', async ({ signIn }) => {
    const email = 'quiet@example.com'
    const browser = signIn.browser()
    const { atProvider } = await browser.open('signup', signIn.query('local'))
    const back = await completeSignIn(atProvider, newPerson(email))
    const secrets = [
      ...browser.cookies().map((name) => browser.cookie(name) ?? ''),
      ...['state', 'nonce', 'code_challenge'].map((name) => atProvider.searchParams.get(name) ?? ''),
      back.url.searchParams.get('code') ?? '',
    ]
    const { tokens } = sessionOf(await browser.callback(back))
    await signIn.browser().refused('connect', signIn.query('local', { member: `${tokens.accessToken}x` }))
    await signIn
      .browser()
      .visit('connect', signIn.query('spare', { member: tokens.accessToken }), newPerson(email))
    await signIn.browser().visit('login', signIn.query('local'), { answer: 'cancel' })
    const log = signIn.log.join('\n')
    expect(log).toContain('provider sign-in refused')
    expect(log).toContain('/auth-provider/callback/:provider')
    for (const secret of [...secrets, tokens.accessToken, email, 'local-secret']) {
      expect(secret.length).toBeGreaterThan(8)
      expect(log).not.toContain(secret)
    }
  })
})
