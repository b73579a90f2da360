import { signIn } from '@tidings/emulators/identity/sign-in'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addApp } from '#test/factories/membership-apps.ts'
import { failureOf, type PopupQuery } from '#test/popups.ts'
import { otherApp, readerOrigins, type SignInSite, sessionOf, startSignInSite } from '#test/sign-in-site.ts'

let at: SignInSite
beforeAll(async () => {
  at = await startSignInSite()
})
afterAll(() => at.close())

/** The query of a client, without these keys. */
function without(...keys: string[]): PopupQuery {
  return Object.fromEntries(Object.entries(at.query('local')).filter(([key]) => !keys.includes(key)))
}

describe('the app of a popup', () => {
  it.each([
    ['its id alone', ['publicKey']],
    ['its key alone', ['appId']],
    ['both', []],
  ])('is found by %s', async (_way, missing) => {
    const end = await at
      .browser()
      .visit('login', { ...without(...missing), allowSignup: 'true' }, { person: 'ada' })
    expect(sessionOf(end).member.auth.email).toBe('ada@example.com')
  })

  it.each(['', 'undefined', 'null'])('is found by its key when a client sends the id %j', async (appId) => {
    const query = at.query('local', { appId, allowSignup: 'true' })
    const { member } = sessionOf(await at.browser().visit('login', query, { person: 'ben' }))
    expect(member.auth.email).toBe('ben@example.com')
  })

  it.each(['undefined', 'null'])(
    "is the site's own when a client sends no key and the id %s",
    async (appId) => {
      const query = { ...without('publicKey'), appId, allowSignup: 'true' }
      const { member } = sessionOf(await at.browser().visit('login', query, { person: 'ben' }))
      expect(member.auth.email).toBe('ben@example.com')
    },
  )

  it.each<[string, PopupQuery]>([
    ['nothing', { appId: '', publicKey: '' }],
    ['an unknown key', { appId: '', publicKey: 'pk_unknown' }],
    ['an unknown id', { appId: 'app_unknown', publicKey: '' }],
    ['the key of one app and the id of another', { appId: otherApp.appId }],
    ['the right id and an unknown key', { publicKey: 'pk_unknown' }],
    ['names of built-in properties', { appId: '__proto__', publicKey: 'constructor' }],
  ])('is not found by %s, and no origin receives a message', async (_way, keys) => {
    const end = await at.browser().refused('login', at.query('local', keys))
    expect(end).toMatchObject({ status: 404, origins: [] })
    expect(failureOf(end).code).toBe('app-not-found')
  })
})

describe('the origins that receive the result', () => {
  it('are the allowed origins of the requested host', async () => {
    const news = await at
      .browser()
      .visit('login', at.query('local', { origin: 'news.example' }), { person: 'cleo' })
    expect(news.origins).toEqual(['https://news.example'])
    const reader = await at.browser().visit('login', at.query('local'), { person: 'cleo' })
    expect(reader.origins).toEqual(readerOrigins)
  })

  it.each([
    '',
    '*',
    'evil.example',
    'evil.reader.example',
    'reader.example.evil.example',
    'reader.example:8080',
    'https://reader.example',
    'null',
    otherApp.origin,
  ])('are none for the host %j, and a page shows the error', async (origin) => {
    const browser = at.browser()
    const end = await browser.refused('signup', at.query('local', { origin }))
    expect(end).toMatchObject({ status: 403, origins: [] })
    expect(failureOf(end).code).toBe('domain-not-permitted')
    expect(end.html).toContain('Pages of this origin may not use this app.')
    expect(browser.cookies()).toEqual([])
  })

  it('are all allowed origins for old clients, which send no host', async () => {
    const end = await at.browser().visit('login', without('origin'), { person: 'cleo' })
    const { origins } = await at.site.context.apps.siteApp()
    expect(end.origins).toEqual([...origins])
  })

  it('are none when the app removes its origin during the sign-in', async () => {
    const app = { id: 'app_moving', publicKey: 'pk_moving' }
    await addApp(at.site, { ...app, allowedOrigins: ['https://moving.example'] })
    const browser = at.browser()
    const query = { provider: 'local', publicKey: app.publicKey, origin: 'moving.example' }
    const { atProvider } = await browser.open('signup', query)
    await addApp(at.site, { ...app, allowedOrigins: [] })
    expect((await browser.callback(await signIn(atProvider, { person: 'ada' }))).origins).toEqual([])
  })
})

describe('an unknown provider', () => {
  it.each([
    ['a provider that is not configured', () => at.query('unknown')],
    ['the name of a built-in property', () => at.query('__proto__')],
    ['a provider that the app does not offer', () => ({ provider: 'spare', ...otherApp })],
  ])('is refused, and the opener receives the error: %s', async (_what, query) => {
    const end = await at.browser().refused('login', query())
    expect(failureOf(end).code).toBe('provider-not-found')
    expect(end.status).toBe(404)
    expect(end.origins).not.toEqual([])
  })

  it('gets an error page without a name and with a long name', async () => {
    for (const query of [without('provider'), { ...at.query('x'.repeat(41)) }]) {
      const end = await at.browser().refused('login', query)
      expect(end).toMatchObject({ status: 400, origins: [] })
      expect(failureOf(end).code).toBe('invalid-request')
    }
  })
})
