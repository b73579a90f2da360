import { siteStartElementId } from '@tidings/contracts/site/element-ids'
import { siteStartSchema } from '@tidings/contracts/site/site-start'
import { describe, expect } from 'vitest'
import { publishedEdition } from '#test/factories/editions.ts'
import { siteTest } from '#test/fixtures.ts'
import { useTestApp } from '#test/test-app.ts'

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const it = siteTest({ env: { SITE_NAME: 'News & <Views>', SITE_LANGUAGE: 'pt-br' } })

/** Parses the gate's status and the lists from the page, as a browser does. */
function startOf(page: string) {
  const json = new RegExp(`id="${siteStartElementId}">(.*?)</script>`, 's').exec(page)?.[1] ?? ''
  return siteStartSchema.parse(JSON.parse(json))
}

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
    '/deskless',
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
    expect(reply.body).toContain('<html lang="pt-BR" dir="ltr">')
    expect(reply.body).not.toContain(url.slice(1))
  })

  it('has a page in the fonts of the web app', async ({ site }) => {
    const page = await site.app.inject({ url: '/missing', headers: browser })
    const fonts = [...page.body.matchAll(/url\((\/fonts\/[^)]+)\)/g)].map(([, url = '']) => url)
    const replies = await Promise.all(fonts.map((url) => site.app.inject(url)))
    expect(replies.map(({ headers }) => headers.location)).toEqual([
      '/static/newsreader-latin-wght-normal-0123.woff2',
      '/static/figtree-latin-wght-normal-0123.woff2',
    ])
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
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.headers['content-security-policy']).toContain("script-src 'self' 'sha256-")
    expect(reply.body).toContain('"siteName":"News & \\u003cViews>"')
    expect(reply.body).not.toMatch(/development-only|tdk_|"tidings"/)
  })

  it("names the site's language", async ({ site }) => {
    const reply = await site.app.inject({ url: '/', headers: browser })
    expect(reply.body).toContain('<html lang="pt-BR" dir="ltr" data-fonts="latin">')
  })

  it('tells a visitor that the gate is closed, and nothing about editions', async ({ site }) => {
    const { body } = await site.app.inject({ url: '/', headers: browser })
    expect(startOf(body)).toEqual({ gate: { on: true, passed: false } })
    const forged = { ...browser, cookie: 'tidings_gate=1_2.3' }
    expect(startOf((await site.app.inject({ url: '/', headers: forged })).body)).toEqual(startOf(body))
  })

  it('returns three days of time lists and the newest edition with a gate pass', async ({ site }) => {
    const headers = { ...browser, cookie: site.pass }
    const days = (first: readonly string[], second: readonly string[]) => [
      { date: '11-19-26', timeStamp: first },
      { date: '11-20-26', timeStamp: second },
      { date: '11-21-26', timeStamp: [] },
    ]
    await publishedEdition(site.context, '11-19-26-8PM', 1)
    const before = await site.app.inject({ url: '/', headers })
    expect(before.headers['cache-control']).toBe('no-store')
    expect(before.headers.etag).toBeUndefined()
    expect(startOf(before.body)).toEqual({
      gate: { on: true, passed: true },
      editions: { timeLists: days(['8PM'], []), newest: '11-19-26-8PM' },
    })
    await publishedEdition(site.context, '11-20-26-10AM', 1)
    expect(startOf((await site.app.inject({ url: '/', headers })).body)).toEqual({
      gate: { on: true, passed: true },
      editions: { timeLists: days(['8PM'], ['10AM']), newest: '11-20-26-10AM' },
    })
  })

  it('lists the days around the new date after midnight at the site', async () => {
    const { app, pass, clock } = await useTestApp()
    const listed = async () => {
      const { body } = await app.inject({ url: '/', headers: { ...browser, cookie: pass } })
      return startOf(body).editions
    }
    expect(await listed()).toMatchObject({ timeLists: [{ date: '11-19-26' }, {}, { date: '11-21-26' }] })
    clock.pass(15 * 3_600_000)
    expect(await listed()).toEqual({
      timeLists: ['11-20-26', '11-21-26', '11-22-26'].map((date) => ({ date, timeStamp: [] })),
      newest: null,
    })
  })

  it('contains the lists for everyone if the gate is off', async () => {
    const { app } = await useTestApp({ env: { SITE_GATE: 'off' } })
    const { gate, editions } = startOf((await app.inject({ url: '/', headers: browser })).body)
    expect([gate, editions?.newest]).toEqual([{ on: false, passed: true }, null])
  })
})

describe('GET /shell.html', () => {
  it('contains nothing about its requester', async ({ site }) => {
    const reply = await site.app.inject({ url: '/shell.html', headers: { cookie: site.pass } })
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['cache-control']).toBe('no-cache')
    expect(reply.headers['content-security-policy']).toContain("script-src 'self' 'sha256-")
    expect(reply.body).toContain('id="site-start">{}<')
    expect(reply.body).toContain('"siteName":"News & \\u003cViews>"')
  })

  it('returns 304 to a browser that has it in any encoding', async ({ site }) => {
    const first = await site.app.inject({ url: '/shell.html', headers: { 'accept-encoding': 'br' } })
    const again = await site.app.inject({
      url: '/shell.html',
      headers: { 'accept-encoding': 'gzip', 'if-none-match': String(first.headers.etag) },
    })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })
})

describe('GET /service-worker.js', () => {
  it('is checked for changes at every visit, and contains the revision and the fonts of the shell', async ({
    site,
  }) => {
    const shell = await site.app.inject('/shell.html')
    const reply = await site.app.inject('/service-worker.js')
    expect([reply.statusCode, reply.headers['cache-control']]).toEqual([200, 'no-cache'])
    expect(reply.headers['content-type']).toBe('text/javascript; charset=utf-8')
    const [revision, fonts] = [...reply.body.matchAll(/'(.+)'/g)].map(([, text]) => text)
    expect(`"${revision}"`).toBe(shell.headers.etag)
    expect(shell.body).toContain(`data-fonts="${fonts}"`)
  })
})

describe('GET /manifest.webmanifest', () => {
  it('names the site', async ({ site }) => {
    const reply = await site.app.inject('/manifest.webmanifest')
    expect(reply.headers['content-type']).toBe('application/manifest+json; charset=utf-8')
    expect(reply.json()).toEqual({
      name: 'News & <Views>',
      short_name: 'News & <Views>',
      start_url: '/',
    })
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
