import { createHash } from 'node:crypto'
import { tokenFaults } from '@tidings/emulators/identity/faults'
import { type SignedIn, signIn } from '@tidings/emulators/identity/sign-in'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureOf, type PopupBrowser, somebody } from '#test/popups.ts'
import { readerOrigins, type SignInSite, sessionOf, startSignInSite } from '#test/sign-in-site.ts'

let at: SignInSite
beforeAll(async () => {
  at = await startSignInSite()
})
afterAll(() => at.close())

const lost = {
  code: 'account-connect-failed',
  message: 'This sign-in has expired, or you started it in another browser. Please start again.',
}
const incomplete = {
  code: 'account-connect-failed',
  message: 'We couldn’t sign you in with Tidings ID. Please try again.',
}

/** A browser whose popup has been to the provider and has not called us back yet. */
async function away(email: string, provider = 'local'): Promise<{ browser: PopupBrowser; back: SignedIn }> {
  const browser = at.browser()
  const { atProvider } = await browser.open('signup', at.query(provider))
  return { browser, back: await signIn(atProvider, somebody(email)) }
}

/** The callback with something of its address changed. */
function changed({ url }: SignedIn, change: (url: URL) => void): SignedIn {
  const other = new URL(url)
  change(other)
  return { url: other }
}

describe('what the provider does wrong', () => {
  // The adapter's own tests wait for a provider that never answers.
  it.each(tokenFaults.filter((fault) => fault !== 'slow'))('%s: nobody gets in', async (fault) => {
    const email = `${fault}@example.com`
    const { browser, back } = await away(email)
    await at.spoilNext(fault)
    const end = await browser.come(back)
    expect(end).toMatchObject({ status: 400, origins: readerOrigins })
    expect(failureOf(end)).toEqual(
      fault === 'server-error'
        ? { ...incomplete, message: 'Tidings ID is unavailable right now. Please try again later.' }
        : incomplete,
    )
    expect(await at.accountsOf(email)).toEqual([])
    const again = await at.browser().visit('signup', at.query('local'), somebody(email))
    expect(sessionOf(again).member.auth.email).toBe(email)
  })

  it('is away: a page says so, and the page that opened the popup is told', async () => {
    const end = await at.browser().refused('login', at.query('away'))
    expect(end.origins).toEqual(readerOrigins)
    const message = 'Away ID is unavailable right now. Please try again later.'
    expect(failureOf(end)).toEqual({ code: 'account-connect-failed', message })
    expect(end.html).toContain(message)
  })

  it.each([
    ['another issuer', (url: URL) => url.searchParams.set('iss', 'https://identity.example')],
    ['no issuer, which it had promised', (url: URL) => url.searchParams.delete('iss')],
    ['a code of its own making', (url: URL) => url.searchParams.set('code', 'made-up')],
    ['no code', (url: URL) => url.searchParams.delete('code')],
    ['two codes', (url: URL) => url.searchParams.append('code', 'second')],
    ['a failure of its own', (url: URL) => url.searchParams.set('error', '<script>alert(1)</script>')],
  ])('sends the browser back with %s: nobody gets in', async (what, change) => {
    const email = `${what.replaceAll(/\W+/g, '-')}@example.com`
    const { browser, back } = await away(email)
    expect(failureOf(await browser.come(changed(back, change)))).toEqual(incomplete)
    expect(await at.accountsOf(email)).toEqual([])
  })
})

describe('who says no', () => {
  it.each([
    ['local', 'Tidings ID'],
    ['github', 'GitHub'],
  ])('at %s reads that nothing has changed', async (provider, name) => {
    const end = await at.browser().visit('signup', at.query(provider), { answer: 'cancel' })
    expect(end.origins).toEqual(readerOrigins)
    const message = `You didn’t continue with ${name}. Nothing has changed.`
    expect(failureOf(end)).toEqual({ code: 'account-connect-failed', message })
  })
})

describe('a flow', () => {
  it.each<[string, (back: SignedIn) => Promise<PopupBrowser>]>([
    ['without its cookie', async () => at.browser()],
    ['with a cookie of its own flow', async () => (await away('own-flow@example.com')).browser],
    ['with a cookie of the right name and another value', guessing],
  ])('is not ended by another browser %s, and still serves the right one', async (what, other) => {
    const email = `${what.replaceAll(/\W+/g, '-')}@example.com`
    const { browser, back } = await away(email)
    const stranger = await (await other(back)).come(back)
    expect(stranger).toMatchObject({ status: 400, origins: [] })
    expect(failureOf(stranger)).toEqual(lost)
    expect(await at.accountsOf(email)).toEqual([])
    expect(sessionOf(await browser.come(back)).member.auth.email).toBe(email)
  })

  it('serves once: a callback that comes again opens nothing, and its cookie is gone', async () => {
    const { browser, back } = await away('replayed@example.com')
    sessionOf(await browser.come(back))
    expect(browser.cookies()).toEqual([])
    expect(failureOf(await browser.come(back))).toEqual(lost)
  })

  it('serves one of many callbacks that come at once', async () => {
    const { browser, back } = await away('raced@example.com')
    const ends = await Promise.all(Array.from({ length: 8 }, () => browser.come(back)))
    expect(ends.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(ends.filter(({ origins }) => origins.length === 0)).toHaveLength(7)
  })

  it('is over after a failure: the right answer comes too late', async () => {
    const { browser, back } = await away('too-late@example.com')
    await browser.come(changed(back, (url) => url.searchParams.set('code', 'made-up')))
    expect(failureOf(await browser.come(back))).toEqual(lost)
    expect(await at.accountsOf('too-late@example.com')).toEqual([])
  })

  it('stands beside another in the same browser, each with its own end', async () => {
    const browser = at.browser()
    const one = await browser.open('signup', at.query('local'))
    const other = await browser.open('signup', at.query('github'))
    const backs = [
      await signIn(one.atProvider, somebody('one@example.com')),
      await signIn(other.atProvider, somebody('other@example.com')),
    ]
    const emails: string[] = []
    for (const back of backs.reverse()) emails.push(sessionOf(await browser.come(back)).member.auth.email)
    expect(emails).toEqual(['other@example.com', 'one@example.com'])
  })

  it.each(['spare', 'github', 'away', 'unknown', '%00', '__proto__'])(
    'is not ended at the callback of %j, and still serves its own',
    async (provider) => {
      const email = `mixed-${provider.replace('%00', 'nul')}@example.com`
      const { browser, back } = await away(email)
      const elsewhere = changed(back, (url) => {
        url.pathname = `/auth-provider/callback/${provider}`
      })
      expect(failureOf(await browser.come(elsewhere))).toEqual(lost)
      expect(sessionOf(await browser.come(back)).member.auth.email).toBe(email)
    },
  )

  it.each([
    ['no state', (url: URL) => url.searchParams.delete('state')],
    ['an empty state', (url: URL) => url.searchParams.set('state', '')],
    ['another state', (url: URL) => url.searchParams.set('state', 'made-up')],
    ['no query at all', (url: URL) => Object.assign(url, { search: '' })],
  ])('is not found by %s', async (_what, change) => {
    const { browser, back } = await away('stateless@example.com')
    expect(failureOf(await browser.come(changed(back, change)))).toEqual(lost)
  })

  it('lasts ten minutes', async () => {
    const started = at.site.clock.now().getTime()
    const [early, late] = [await away('early@example.com'), await away('late@example.com')]
    at.site.clock.moveTo(new Date(started + 10 * 60_000 - 1))
    expect(sessionOf(await early.browser.come(early.back)).member.auth.email).toBe('early@example.com')
    at.site.clock.moveTo(new Date(started + 10 * 60_000))
    expect(failureOf(await late.browser.come(late.back))).toEqual(lost)
  })

  it('that nobody came back to is forgotten by the clean-up', async () => {
    const { db } = at.site.context.database
    const { back } = await away('forgotten@example.com')
    const stateHash = createHash('sha256')
      .update(back.url.searchParams.get('state') ?? '')
      .digest('hex')
    const kept = () => db.identityFlow.count({ where: { stateHash } })
    await at.site.context.removeOld()
    expect(await kept()).toBe(1)
    at.site.clock.pass(11 * 60_000)
    await at.site.context.removeOld()
    expect(await kept()).toBe(0)
  })

  it('is kept without what would let a reader of the database take it up', async () => {
    const { browser, back } = await away('at-rest@example.com')
    const rows = await at.site.context.database.db.identityFlow.findMany()
    const stored = JSON.stringify(rows)
    expect(stored).toContain('reader.example')
    expect(stored).not.toContain(back.url.searchParams.get('state'))
    for (const name of browser.cookies()) expect(stored).not.toContain(browser.cookie(name))
  })
})

/** A browser that knows which cookie is asked for, and not what it holds. */
async function guessing({ url }: SignedIn): Promise<PopupBrowser> {
  const browser = at.browser()
  const state = url.searchParams.get('state') ?? ''
  browser.setCookie(`tidings_flow_${createHash('sha256').update(state).digest('hex').slice(0, 12)}`, 'guess')
  return browser
}
