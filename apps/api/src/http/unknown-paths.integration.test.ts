import { describe, expect } from 'vitest'
import { siteTest } from '#test/fixtures.ts'

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const it = siteTest({ env: { SITE_NAME: 'News & <Views>' } })

describe("a screen's path without its hash", () => {
  it.for([
    ['/home', '/#/home'],
    ['/home/', '/#/home/'],
    ['/protect', '/#/protect'],
    ['/auth', '/#/auth'],
    ['/footer?from=mail', '/#/footer?from=mail'],
    ['/account/login?next=%2Fhome&x=1', '/#/account/login?next=%2Fhome&x=1'],
    ['/account/dashboard?session_id=cs_1', '/#/account/dashboard?session_id=cs_1'],
    ['/edition/10AM?date=11-20-26', '/#/edition/10AM?date=11-20-26'],
    ['/viewgated/0199a1f4', '/#/viewgated/0199a1f4'],
    ['/gated', '/#/gated'],
    ['/archive', '/#/archive'],
    ['/resetpassword', '/#/resetpassword'],
  ] as const)('%s redirects a browser, even without a gate pass', async ([url, location], { site }) => {
    const reply = await site.app.inject({ url, headers: browser })
    expect(reply.statusCode).toBe(302)
    expect(reply.headers.location).toBe(location)
  })

  it('redirects only within the site', async ({ site }) => {
    for (const url of ['/home?x=//evil.example', '/edition/evil.example', '/home?x=%0d%0aSet-Cookie:a=b']) {
      const reply = await site.app.inject({ url, headers: browser })
      expect(String(reply.headers.location)).toMatch(/^\/#\//)
      expect(reply.headers['set-cookie']).toBeUndefined()
    }
  })

  it.for(['/home', '/archive', '/account/login'])('%s returns 404 to a program', async (url, { site }) => {
    const reply = await site.app.inject({ url, headers: { accept: 'application/json' } })
    expect(reply.statusCode).toBe(404)
    expect(reply.json().error.code).toBe('not-found')
  })

  it('returns 404 to POST', async ({ site }) => {
    const reply = await site.app.inject({ method: 'POST', url: '/home', headers: browser, payload: {} })
    expect(reply.statusCode).toBe(404)
    expect(reply.json().error.code).toBe('not-found')
  })
})

describe('an unknown path', () => {
  it.for([
    '/missing',
    '/wp-login.php',
    '/home/x/y',
    '/static/missing.js',
    '/desk',
    '/docs/nothing',
    '//home',
    '/.env',
  ])('%s returns a static 404 page to a browser', async (url, { site }) => {
    const reply = await site.app.inject({ url, headers: browser })
    expect(reply.statusCode).toBe(404)
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
    expect(reply.body).toContain('News &amp; &lt;Views&gt;')
    expect(reply.body).not.toContain(url.slice(1))
  })

  it.for([
    '/nothing',
    '/static/missing.js',
    '/static/js',
    '/docs/nothing',
    '/desk/v1/nothing',
    '/gate/x',
    '/<script>alert(1)</script>',
    '/member/team/join',
    '/v1/data-tables',
  ])('%s returns a JSON error to a program', async (url, { site }) => {
    const reply = await site.app.inject(url)
    expect(reply.statusCode).toBe(404)
    expect(reply.json().error.code).toBe('not-found')
    expect(reply.body).not.toContain('script')
  })
})

describe('GET /', () => {
  it('returns the page with its configuration, without a gate pass', async ({ site }) => {
    const reply = await site.app.inject({ url: '/', headers: browser })
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.headers['cache-control']).toBe('no-cache')
    expect(reply.headers['content-security-policy']).toContain("script-src 'self';")
    expect(reply.body).toContain('"siteName":"News & \\u003cViews>"')
    expect(reply.body).not.toMatch(/development-only|tdk_|"tidings"/)
  })

  it('returns 304 to a browser that has it in any encoding', async ({ site }) => {
    const first = await site.app.inject({ url: '/', headers: { 'accept-encoding': 'br' } })
    const again = await site.app.inject({
      url: '/',
      headers: { 'accept-encoding': 'gzip', 'if-none-match': String(first.headers.etag) },
    })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })
})

describe('GET /static', () => {
  it('is immutable, because file names contain a hash', async ({ site }) => {
    const reply = await site.app.inject('/static/js/main-0123.js')
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(reply.headers['x-content-type-options']).toBe('nosniff')
  })

  it.for([
    '/static/../index.html',
    '/static/..%2findex.html',
    '/static/%2e%2e/index.html',
    '/static/..%5cindex.html',
    '/static//etc/passwd',
    '/static/js/../../index.html',
    '/static/js/main-0123.js%00.css',
    '/static/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  ])('does not leave its folder: %s', async (url, { site }) => {
    const reply = await site.app.inject(url)
    expect([400, 403, 404]).toContain(reply.statusCode)
    expect(reply.json().error.code).toMatch(/^(not-found|invalid-request)$/)
  })
})
