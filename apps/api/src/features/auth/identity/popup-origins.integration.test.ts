import { signIn as completeSignIn } from '@tidings/emulators/identity/sign-in'
import { describe, expect } from 'vitest'
import { addApp } from '#test/factories/membership-apps.ts'
import { signInTest } from '#test/fixtures.ts'
import { failureOf, type PopupQuery } from '#test/sign-in/popups.ts'
import { otherApp, readerOrigins, sessionOf } from '#test/sites/sign-in-site.ts'

/** Returns a query without these keys. */
function without(query: PopupQuery, ...keys: string[]): PopupQuery {
  return Object.fromEntries(Object.entries(query).filter(([key]) => !keys.includes(key)))
}

const it = signInTest().extend('query', { scope: 'file' }, ({ signIn }) => signIn.query('local'))

describe('the app of a popup', () => {
  it.for<[way: string, missing: string[]]>([
    ['its id alone', ['publicKey']],
    ['its key alone', ['appId']],
    ['both', []],
  ])('is found by %s', async ([_way, missing], { signIn, query }) => {
    const end = await signIn
      .browser()
      .visit('login', { ...without(query, ...missing), allowSignup: 'true' }, { person: 'ada' })
    expect(sessionOf(end).member.auth.email).toBe('ada@example.com')
  })

  it.for(['', 'undefined', 'null'])(
    'is found by its key when a client sends the id %j',
    async (appId, { signIn }) => {
      const query = signIn.query('local', { appId, allowSignup: 'true' })
      const { member } = sessionOf(await signIn.browser().visit('login', query, { person: 'ben' }))
      expect(member.auth.email).toBe('ben@example.com')
    },
  )

  it.for(['undefined', 'null'])(
    "is the site's own when a client sends no key and the id %s",
    async (appId, { signIn, query }) => {
      const noKey = { ...without(query, 'publicKey'), appId, allowSignup: 'true' }
      const { member } = sessionOf(await signIn.browser().visit('login', noKey, { person: 'ben' }))
      expect(member.auth.email).toBe('ben@example.com')
    },
  )

  it.for<[way: string, keys: PopupQuery]>([
    ['nothing', { appId: '', publicKey: '' }],
    ['an unknown key', { appId: '', publicKey: 'pk_unknown' }],
    ['an unknown id', { appId: 'app_unknown', publicKey: '' }],
    ['the key of one app and the id of another', { appId: otherApp.appId }],
    ['the right id and an unknown key', { publicKey: 'pk_unknown' }],
    ['names of built-in properties', { appId: '__proto__', publicKey: 'constructor' }],
  ])('is not found by %s, and no origin receives a message', async ([_way, keys], { signIn }) => {
    const end = await signIn.browser().refused('login', signIn.query('local', keys))
    expect(end).toMatchObject({ status: 404, origins: [] })
    expect(failureOf(end).code).toBe('app-not-found')
  })
})

describe('the origins that receive the result', () => {
  it('are the allowed origins of the requested host', async ({ signIn }) => {
    const news = await signIn
      .browser()
      .visit('login', signIn.query('local', { origin: 'news.example' }), { person: 'cleo' })
    expect(news.origins).toEqual(['https://news.example'])
    const reader = await signIn.browser().visit('login', signIn.query('local'), { person: 'cleo' })
    expect(reader.origins).toEqual(readerOrigins)
  })

  it.for([
    '',
    '*',
    'evil.example',
    'evil.reader.example',
    'reader.example.evil.example',
    'reader.example:8080',
    'https://reader.example',
    'null',
    otherApp.origin,
  ])('are none for the host %j, and a page shows the error', async (origin, { signIn }) => {
    const browser = signIn.browser()
    const end = await browser.refused('signup', signIn.query('local', { origin }))
    expect(end).toMatchObject({ status: 403, origins: [] })
    expect(failureOf(end).code).toBe('domain-not-permitted')
    expect(end.html).toContain('Pages of this origin may not use this app.')
    expect(browser.cookies()).toEqual([])
  })

  it('are all allowed origins for old clients, which send no host', async ({ signIn, site, query }) => {
    const end = await signIn.browser().visit('login', without(query, 'origin'), { person: 'cleo' })
    const { origins } = await site.context.apps.siteApp()
    expect(end.origins).toEqual([...origins])
  })

  it('are none when the app removes its origin during the sign-in', async ({ signIn, site }) => {
    const app = { id: 'app_moving', publicKey: 'pk_moving' }
    await addApp(site, { ...app, allowedOrigins: ['https://moving.example'] })
    const browser = signIn.browser()
    const query = { provider: 'local', publicKey: app.publicKey, origin: 'moving.example' }
    const { atProvider } = await browser.open('signup', query)
    await addApp(site, { ...app, allowedOrigins: [] })
    expect((await browser.callback(await completeSignIn(atProvider, { person: 'ada' }))).origins).toEqual([])
  })
})

describe('an unknown provider', () => {
  it.for<[what: string, query: PopupQuery]>([
    ['a provider that is not configured', { provider: 'unknown' }],
    ['the name of a built-in property', { provider: '__proto__' }],
    ['a provider that the app does not offer', { provider: 'spare', ...otherApp }],
  ])('is refused, and the opener receives the error: %s', async ([_what, wrong], { signIn, query }) => {
    const end = await signIn.browser().refused('login', { ...query, ...wrong })
    expect(failureOf(end).code).toBe('provider-not-found')
    expect(end.status).toBe(404)
    expect(end.origins).not.toEqual([])
  })

  it('gets an error page without a name and with a long name', async ({ signIn, query }) => {
    for (const invalid of [without(query, 'provider'), signIn.query('x'.repeat(41))]) {
      const end = await signIn.browser().refused('login', invalid)
      expect(end).toMatchObject({ status: 400, origins: [] })
      expect(failureOf(end).code).toBe('invalid-request')
    }
  })
})
