import { describe, expect, it, vi } from 'vitest'
import { reply, respondWith } from '../testing/fake-api.ts'
import { loggedInClient, testClient } from '../testing/test-client.ts'
import { wireMember, wireSession } from '../testing/wire-samples.ts'

const now = new Date('2026-11-20T12:00:00Z')

/** A session reply with or without an expiry. */
function sessionUntil(expires: number | undefined) {
  const session = wireSession()
  return { ...session, tokens: { ...session.tokens, expires } }
}

/** A storage with a method that always throws. */
function storageWithout(failing: 'setItem' | 'removeItem'): Storage {
  return new Proxy(window.localStorage, {
    get(storage, name) {
      const value = Reflect.get(storage, name)
      if (name !== failing) return typeof value === 'function' ? value.bind(storage) : value
      return () => {
        throw new DOMException('The quota is exceeded', 'QuotaExceededError')
      }
    },
  })
}

describe('with local storage', () => {
  it('stores the token and the member under the default keys', async () => {
    await loggedInClient()
    expect(window.localStorage.getItem('_ms-mid')).toBe('token-of-ada')
    expect(JSON.parse(window.localStorage.getItem('_ms-mem') ?? '')).toEqual(wireMember())
    expect(document.cookie).toBe('')
  })

  it('finds a stored session', async () => {
    window.localStorage.setItem('_ms-mid', 'token-from-before')
    expect(testClient().getMemberToken()).toBe('token-from-before')
    expect(testClient().getMemberCookie()).toBe('token-from-before')
  })

  it('uses other keys when they are given', async () => {
    const client = await loggedInClient({ keys: { token: 'news-token', member: 'news-member' } })
    expect(window.localStorage.getItem('news-token')).toBe('token-of-ada')
    expect(window.localStorage.getItem('news-member')).not.toBeNull()
    expect(window.localStorage.getItem('_ms-mid')).toBeNull()
    expect(client.getMemberToken()).toBe('token-of-ada')
  })

  it('keeps a session in memory when storage is full', async () => {
    vi.spyOn(window, 'localStorage', 'get').mockReturnValue(storageWithout('setItem'))
    const client = await loggedInClient()
    expect(client.getMemberToken()).toBe('token-of-ada')
    expect(testClient().getMemberToken()).toBeUndefined()
  })

  it('keeps a session in memory when storage is inaccessible', async () => {
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('Access is denied', 'SecurityError')
    })
    const client = await loggedInClient()
    expect(client.getMemberToken()).toBe('token-of-ada')
  })

  it('ends a session that the browser cannot remove', async () => {
    const client = await loggedInClient()
    vi.spyOn(window, 'localStorage', 'get').mockReturnValue(storageWithout('removeItem'))
    respondWith(reply({ redirect: null }, 'You have logged out.'))
    await client.logout()
    expect(client.getMemberToken()).toBeUndefined()
  })

  it('ignores an invalid cached member', async () => {
    window.localStorage.setItem('_ms-mid', 'token-of-ada')
    window.localStorage.setItem('_ms-mem', '{"id":')
    respondWith(reply(wireMember()))
    expect(await testClient().getCurrentMember({ useCache: true })).toEqual({ data: wireMember() })
  })
})

describe('with cookies', () => {
  it('writes a strict, secure cookie of the whole site that expires with the session', async () => {
    const writing = vi.spyOn(document, 'cookie', 'set')
    await loggedInClient({ useCookies: true })
    expect(writing.mock.calls).toEqual([
      ['_ms-mid=token-of-ada; path=/; samesite=strict; expires=Fri, 01 Jan 2100 00:00:00 GMT; secure'],
    ])
    expect(window.localStorage.getItem('_ms-mid')).toBeNull()
    expect(window.localStorage.getItem('_ms-mem')).not.toBeNull()
  })

  it('writes a cookie without Secure on plain http', async () => {
    const writing = vi.spyOn(document, 'cookie', 'set')
    vi.spyOn(window.location, 'protocol', 'get').mockReturnValue('http:')
    await loggedInClient({ useCookies: true })
    expect(writing.mock.calls[0]?.[0]).not.toContain('secure')
  })

  it.each([
    ['the days that the server names', now.getTime() + 3 * 86_400_000, 3],
    ['14 days where it names none', undefined, 14],
  ])('keeps the session for %s', async (_, expires, days) => {
    vi.useFakeTimers({ toFake: ['Date'], now })
    const client = testClient({ useCookies: true })
    respondWith(() => Response.json({ data: sessionUntil(expires) }))
    await client.loginMemberEmailPassword({ email: 'ada@example.com', password: 'a password' })
    vi.setSystemTime(now.getTime() + days * 86_400_000 - 1000)
    expect(testClient({ useCookies: true }).getMemberToken()).toBe('token-of-ada')
    vi.setSystemTime(now.getTime() + days * 86_400_000 + 1000)
    expect(testClient({ useCookies: true }).getMemberToken()).toBeUndefined()
    expect(await client.getCurrentMember()).toEqual({ data: null })
  })

  it('finds a stored token among other cookies', () => {
    Reflect.set(document, 'cookie', 'theme=dark; path=/')
    Reflect.set(document, 'cookie', '_ms-mid=token%20from%20before; path=/')
    expect(testClient({ useCookies: true }).getMemberToken()).toBe('token from before')
  })

  it('keeps a session in memory when cookies are blocked', async () => {
    vi.spyOn(document, 'cookie', 'set').mockImplementation(() => undefined)
    const client = await loggedInClient({ useCookies: true })
    expect(client.getMemberToken()).toBe('token-of-ada')
    expect(testClient({ useCookies: true }).getMemberToken()).toBeUndefined()
  })

  it('removes the cookie with the session', async () => {
    const client = await loggedInClient({ useCookies: true })
    respondWith(reply({ redirect: null }, 'You have logged out.'))
    await client.logout()
    expect(document.cookie).toBe('')
    expect(window.localStorage.getItem('_ms-mem')).toBeNull()
  })
})
