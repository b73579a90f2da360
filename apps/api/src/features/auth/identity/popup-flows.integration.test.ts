import { createHash } from 'node:crypto'
import { tokenFaults } from '@tidings/emulators/identity/faults'
import { signIn as completeSignIn, type SignedIn } from '@tidings/emulators/identity/sign-in'
import { describe, expect } from 'vitest'
import { signInTest } from '#test/fixtures.ts'
import { failureOf, newPerson, type PopupBrowser } from '#test/sign-in/popups.ts'
import { readerOrigins, sessionOf } from '#test/sites/sign-in-site.ts'

const lost = {
  code: 'account-connect-failed',
  message: 'This took too long, or you started it in another browser. Start again.',
}
const incomplete = {
  code: 'account-connect-failed',
  message: 'We couldn’t log you in with Tidings ID. Try again.',
}

type StartedFlow = { browser: PopupBrowser; back: SignedIn }

const it = signInTest()
  /** Signs in at the provider without returning to the callback. */
  .extend(
    'signInAtProvider',
    { scope: 'file' },
    ({ signIn }) =>
      async (email: string, provider = 'local'): Promise<StartedFlow> => {
        const browser = signIn.browser()
        const { atProvider } = await browser.open('signup', signIn.query(provider))
        return { browser, back: await completeSignIn(atProvider, newPerson(email)) }
      },
  )

/** Returns the callback with a changed URL. */
function changed({ url }: SignedIn, change: (url: URL) => void): SignedIn {
  const other = new URL(url)
  change(other)
  return { url: other }
}

/** Sets a guessed value for the flow's cookie, whose name the browser knows. */
function guessCookie(browser: PopupBrowser, { url }: SignedIn): PopupBrowser {
  const state = url.searchParams.get('state') ?? ''
  browser.setCookie(`tidings_flow_${createHash('sha256').update(state).digest('hex').slice(0, 12)}`, 'guess')
  return browser
}

describe('a provider error', () => {
  // The adapter's own tests cover a provider that times out.
  it.for(tokenFaults.filter((fault) => fault !== 'slow'))(
    '%s creates no account',
    async (fault, { signIn, signInAtProvider }) => {
      const email = `${fault}@example.com`
      const { browser, back } = await signInAtProvider(email)
      await signIn.failNext(fault)
      const end = await browser.callback(back)
      expect(end).toMatchObject({ status: 400, origins: readerOrigins })
      expect(failureOf(end)).toEqual(
        fault === 'server-error'
          ? { ...incomplete, message: 'Tidings ID isn’t reachable right now. Try again later.' }
          : incomplete,
      )
      expect(await signIn.accountsOf(email)).toEqual([])
      const again = await signIn.browser().visit('signup', signIn.query('local'), newPerson(email))
      expect(sessionOf(again).member.auth.email).toBe(email)
    },
  )

  it('is shown on a page and posted to the opener when the provider is unavailable', async ({ signIn }) => {
    const end = await signIn.browser().refused('login', signIn.query('offline'))
    expect(end.origins).toEqual(readerOrigins)
    const message = 'Offline ID isn’t reachable right now. Try again later.'
    expect(failureOf(end)).toEqual({ code: 'account-connect-failed', message })
    expect(end.html).toContain(message)
  })

  it.for([
    ['another issuer', (url: URL) => url.searchParams.set('iss', 'https://identity.example')],
    ['a missing issuer', (url: URL) => url.searchParams.delete('iss')],
    ['a made-up code', (url: URL) => url.searchParams.set('code', 'made-up')],
    ['no code', (url: URL) => url.searchParams.delete('code')],
    ['two codes', (url: URL) => url.searchParams.append('code', 'second')],
    ['a made-up error', (url: URL) => url.searchParams.set('error', '<script>alert(1)</script>')],
  ] as const)(
    'in a callback with %s creates no account',
    async ([what, change], { signIn, signInAtProvider }) => {
      const email = `${what.replaceAll(/\W+/g, '-')}@example.com`
      const { browser, back } = await signInAtProvider(email)
      expect(failureOf(await browser.callback(changed(back, change)))).toEqual(incomplete)
      expect(await signIn.accountsOf(email)).toEqual([])
    },
  )
})

describe('a person who cancels at the provider', () => {
  it.for([
    ['local', 'Tidings ID'],
    ['github', 'GitHub'],
  ] as const)('reads that nothing has changed: %s', async ([provider, name], { signIn }) => {
    const end = await signIn.browser().visit('signup', signIn.query(provider), { answer: 'cancel' })
    expect(end.origins).toEqual(readerOrigins)
    const message = `You didn’t continue with ${name}. Nothing has changed.`
    expect(failureOf(end)).toEqual({ code: 'account-connect-failed', message })
  })
})

describe('a sign-in flow', () => {
  it.for<
    [what: string, prepare: (stranger: PopupBrowser, other: StartedFlow, back: SignedIn) => PopupBrowser]
  >([
    ['without its cookie', (stranger) => stranger],
    ['with the cookie of another flow', (_stranger, other) => other.browser],
    ['with a guessed cookie', (stranger, _other, back) => guessCookie(stranger, back)],
  ])(
    'is not ended by another browser %s, and still works in its own',
    async ([what, prepare], { signIn, signInAtProvider }) => {
      const email = `${what.replaceAll(/\W+/g, '-')}@example.com`
      const { browser, back } = await signInAtProvider(email)
      const other = await signInAtProvider(`other-${email}`)
      const stranger = await prepare(signIn.browser(), other, back).callback(back)
      expect(stranger).toMatchObject({ status: 400, origins: [] })
      expect(failureOf(stranger)).toEqual(lost)
      expect(await signIn.accountsOf(email)).toEqual([])
      expect(sessionOf(await browser.callback(back)).member.auth.email).toBe(email)
    },
  )

  it('works once and clears its cookie', async ({ signInAtProvider }) => {
    const { browser, back } = await signInAtProvider('replayed@example.com')
    sessionOf(await browser.callback(back))
    expect(browser.cookies()).toEqual([])
    expect(failureOf(await browser.callback(back))).toEqual(lost)
  })

  it('works for one of many concurrent callbacks', async ({ signInAtProvider }) => {
    const { browser, back } = await signInAtProvider('raced@example.com')
    const ends = await Promise.all(Array.from({ length: 8 }, () => browser.callback(back)))
    expect(ends.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(ends.filter(({ origins }) => origins.length === 0)).toHaveLength(7)
  })

  it('ends after a failed callback', async ({ signIn, signInAtProvider }) => {
    const { browser, back } = await signInAtProvider('too-late@example.com')
    await browser.callback(changed(back, (url) => url.searchParams.set('code', 'made-up')))
    expect(failureOf(await browser.callback(back))).toEqual(lost)
    expect(await signIn.accountsOf('too-late@example.com')).toEqual([])
  })

  it('runs beside another flow in the same browser', async ({ signIn }) => {
    const browser = signIn.browser()
    const one = await browser.open('signup', signIn.query('local'))
    const other = await browser.open('signup', signIn.query('github'))
    const backs = [
      await completeSignIn(one.atProvider, newPerson('one@example.com')),
      await completeSignIn(other.atProvider, newPerson('other@example.com')),
    ]
    const emails: string[] = []
    for (const back of backs.reverse()) emails.push(sessionOf(await browser.callback(back)).member.auth.email)
    expect(emails).toEqual(['other@example.com', 'one@example.com'])
  })

  it.for(['spare', 'github', 'offline', 'unknown', '%00', '__proto__'])(
    'is not ended at the callback of %j, and still works at its own',
    async (provider, { signInAtProvider }) => {
      const email = `mixed-${provider.replace('%00', 'nul')}@example.com`
      const { browser, back } = await signInAtProvider(email)
      const elsewhere = changed(back, (url) => {
        url.pathname = `/auth-provider/callback/${provider}`
      })
      expect(failureOf(await browser.callback(elsewhere))).toEqual(lost)
      expect(sessionOf(await browser.callback(back)).member.auth.email).toBe(email)
    },
  )

  it.for([
    ['no state', (url: URL) => url.searchParams.delete('state')],
    ['an empty state', (url: URL) => url.searchParams.set('state', '')],
    ['another state', (url: URL) => url.searchParams.set('state', 'made-up')],
    ['no query at all', (url: URL) => Object.assign(url, { search: '' })],
  ] as const)('is not found with %s', async ([_what, change], { signInAtProvider }) => {
    const { browser, back } = await signInAtProvider('stateless@example.com')
    expect(failureOf(await browser.callback(changed(back, change)))).toEqual(lost)
  })

  it('expires after ten minutes', async ({ site, signInAtProvider }) => {
    const started = site.clock.now().getTime()
    const [early, late] = [
      await signInAtProvider('early@example.com'),
      await signInAtProvider('late@example.com'),
    ]
    site.clock.moveTo(new Date(started + 10 * 60_000 - 1))
    expect(sessionOf(await early.browser.callback(early.back)).member.auth.email).toBe('early@example.com')
    site.clock.moveTo(new Date(started + 10 * 60_000))
    expect(failureOf(await late.browser.callback(late.back))).toEqual(lost)
  })

  it('is removed by the clean-up after it expired', async ({ site, db, signInAtProvider }) => {
    const { back } = await signInAtProvider('abandoned@example.com')
    const stateHash = createHash('sha256')
      .update(back.url.searchParams.get('state') ?? '')
      .digest('hex')
    const kept = () => db.identityFlow.count({ where: { stateHash } })
    await site.context.removeOld()
    expect(await kept()).toBe(1)
    site.clock.pass(11 * 60_000)
    await site.context.removeOld()
    expect(await kept()).toBe(0)
  })

  it('is stored without its state and cookie', async ({ db, signInAtProvider }) => {
    const { browser, back } = await signInAtProvider('at-rest@example.com')
    const rows = await db.identityFlow.findMany()
    const stored = JSON.stringify(rows)
    expect(stored).toContain('reader.example')
    expect(stored).not.toContain(back.url.searchParams.get('state'))
    for (const name of browser.cookies()) expect(stored).not.toContain(browser.cookie(name))
  })
})
