import { messages } from '@tidings/contracts/membership/messages'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { MembershipClient } from '../index.ts'
import { describeCalls } from '../testing/describe-calls.ts'
import { loggedInClient, testClient } from '../testing/test-client.ts'
import { testPopup } from '../testing/test-popup.ts'
import { wireMember, wireSession } from '../testing/wire-samples.ts'
import { createProviderCalls } from './provider-calls.ts'

const { tokens, member } = wireSession()
const opened = { data: { tokens, member } }
const providers = [{ provider: 'google' }]

/** The way that a promise went so far: undefined while it is open. */
function outcomeOf(promise: Promise<unknown>) {
  const settled: { outcome?: unknown } = {}
  const keep = (outcome: unknown) => {
    settled.outcome = outcome
  }
  promise.then(keep, keep)
  return settled
}

/** How the page looks after its popup: it does so twice a second. */
const look = (times: number) => vi.advanceTimersByTimeAsync(500 * times)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
})

describe('the address of the popup', () => {
  /** Returns a popup that a call has opened and that has posted its message. */
  async function popupOf(act: () => Promise<unknown>, posted: object = opened) {
    const popup = testPopup()
    const asking = act()
    popup.post(posted)
    await asking
    return popup
  }

  it('requests a login without sign-up', async () => {
    const client = testClient({ appId: 'app_news' })
    const popup = await popupOf(() => client.loginWithProvider({ provider: 'google' }))
    const { origin, pathname, searchParams } = popup.address()
    expect(origin + pathname).toBe('https://api.news.example/auth-provider/login')
    expect(Object.fromEntries(searchParams)).toEqual({
      provider: 'google',
      allowSignup: 'false',
      appId: 'app_news',
      publicKey: 'pk_test',
      origin: 'reader.example',
    })
  })

  it('requests a login that may sign up', async () => {
    const wanted = { provider: 'google', allowSignup: true }
    const popup = await popupOf(() => testClient().loginWithProvider(wanted))
    expect(popup.address().searchParams.get('allowSignup')).toBe('true')
    expect(popup.address().searchParams.has('appId')).toBe(false)
  })

  it('requests a sign-up with fields and plans, encoded twice', async () => {
    const customFields = { name: 'Ada & Bea, 100% "both"' }
    const plans = [{ planId: 'pln_free' }]
    const wanted = { provider: 'google', customFields, plans }
    const popup = await popupOf(() => testClient().signupWithProvider(wanted))
    const { pathname, searchParams } = popup.address()
    const twice = (name: string) => JSON.parse(decodeURIComponent(searchParams.get(name) ?? ''))
    expect(pathname).toBe('/auth-provider/signup')
    expect(twice('customFields')).toEqual(customFields)
    expect(twice('plans')).toEqual(plans)
    expect(searchParams.get('plans')).toBe(encodeURIComponent('[{"planId":"pln_free"}]'))
    expect(searchParams.get('origin')).toBe('reader.example')
  })

  it('requests a sign-up without fields and plans', async () => {
    const popup = await popupOf(() => testClient().signupWithProvider({ provider: 'google' }))
    expect(popup.address().searchParams.get('customFields')).toBe('%7B%7D')
    expect(popup.address().searchParams.get('plans')).toBe('%5B%5D')
  })

  it('requests a connection with the token of the member', async () => {
    const client = await loggedInClient()
    const connected = { data: { providers } }
    const popup = await popupOf(() => client.connectProvider({ provider: 'github' }), connected)
    expect(popup.address().pathname).toBe('/auth-provider/connect')
    expect(Object.fromEntries(popup.address().searchParams)).toEqual({
      provider: 'github',
      member: 'token-of-ada',
      publicKey: 'pk_test',
      origin: 'reader.example',
    })
  })

  it('opens centered with 600 by 700 pixels', async () => {
    vi.stubGlobal('screenX', 100)
    vi.stubGlobal('screenY', 50)
    vi.stubGlobal('outerWidth', 1400)
    vi.stubGlobal('outerHeight', 900)
    const popup = await popupOf(() => testClient().loginWithProvider({ provider: 'google' }))
    expect(popup.features()).toEqual(
      expect.arrayContaining(['width=600', 'height=700', 'left=500', 'top=150']),
    )
  })
})

describe.each<[string, (client: MembershipClient) => Promise<unknown>]>([
  ['loginWithProvider', (client) => client.loginWithProvider({ provider: 'google' })],
  ['signupWithProvider', (client) => client.signupWithProvider({ provider: 'google' })],
])('%s', (_, act) => {
  it('opens the session that the popup posts', async () => {
    const client = testClient()
    const popup = testPopup()
    const heard: unknown[] = []
    client.onAuthChange((changed) => heard.push(changed))
    const entering = act(client)
    popup.post(opened)
    expect(await entering).toEqual(opened)
    expect(client.getMemberToken()).toBe('token-of-ada')
    expect(heard).toEqual([wireMember()])
  })

  it('rejects with the error of the popup and opens no session', async () => {
    const client = testClient()
    const popup = testPopup()
    const entering = act(client)
    popup.post({ error: { code: 'account-not-found', message: 'There is no such account.' } })
    await expect(entering).rejects.toMatchObject({
      name: 'MembershipError',
      code: 'account-not-found',
      message: 'There is no such account.',
    })
    expect(client.getMemberToken()).toBeUndefined()
  })
})

describe('connectProvider', () => {
  it('returns the providers and updates the member', async () => {
    const client = await loggedInClient()
    const popup = testPopup()
    const heard: unknown[] = []
    client.onAuthChange((changed) => heard.push(changed))
    const connecting = client.connectProvider({ provider: 'google' })
    popup.post({ data: { providers, message: 'Google is connected.' } })
    const message = 'Google is connected.'
    expect(await connecting).toEqual({ data: { providers, message }, message })
    expect(heard).toEqual([wireMember({ auth: { ...member.auth, providers } })])
  })

  it('rejects with the error of the popup', async () => {
    const client = await loggedInClient()
    const popup = testPopup()
    const connecting = client.connectProvider({ provider: 'google' })
    popup.post({ error: { code: 'account-already-connected', message: 'Another member has it.' } })
    await expect(connecting).rejects.toMatchObject({ code: 'account-already-connected' })
    expect(client.getMemberToken()).toBe('token-of-ada')
  })

  it('ends the session when the popup reports an invalid token', async () => {
    const client = await loggedInClient()
    const popup = testPopup()
    const connecting = client.connectProvider({ provider: 'google' })
    popup.post({ error: { name: 'JsonWebTokenError', message: 'jwt malformed' } })
    await expect(connecting).rejects.toMatchObject({
      code: 'client/invalid-token',
      message: messages.invalidToken,
    })
    expect(client.getMemberToken()).toBeUndefined()
  })
})

describe('the popup', () => {
  it.each<[string, Parameters<ReturnType<typeof testPopup>['post']>]>([
    ['from a foreign origin', [opened, { origin: 'https://evil.example' }]],
    ['from an origin that only begins alike', [opened, { origin: 'https://api.news.example.evil.example' }]],
    ['from the API’s host over http', [opened, { origin: 'http://api.news.example' }]],
    ['from the page itself', [opened, { origin: 'https://reader.example', source: window }]],
    ['from another window of the API', [opened, { source: window }]],
    ['of another kind', [{ type: 'resize', height: 100 }]],
    ['that is a text', ['ready']],
    ['that is nothing', [null]],
  ])('ignores a message %s', async (_, message) => {
    const client = testClient()
    const popup = testPopup()
    const entering = client.loginWithProvider({ provider: 'google' })
    const settled = outcomeOf(entering)
    popup.post(...message)
    await look(1)
    expect(settled).toEqual({})
    expect(client.getMemberToken()).toBeUndefined()
    popup.post(opened)
    expect(await entering).toEqual(opened)
  })

  it('rejects with popup-blocked when the browser blocks it', async () => {
    vi.spyOn(window, 'open').mockReturnValue(null)
    await expect(testClient().loginWithProvider({ provider: 'google' })).rejects.toMatchObject({
      name: 'MembershipError',
      code: 'popup-blocked',
      message: 'Your browser blocked the login window. Allow pop-up windows for this page and try again.',
      status: 0,
    })
  })

  it('rejects with popup-closed when it is closed', async () => {
    const client = testClient()
    const popup = testPopup()
    const settled = outcomeOf(client.loginWithProvider({ provider: 'google' }))
    popup.close()
    await look(2)
    expect(settled.outcome).toMatchObject({
      code: 'popup-closed',
      message: 'You closed the login window before you were logged in. Try again.',
      status: 0,
    })
    popup.post(opened)
    expect(client.getMemberToken()).toBeUndefined()
  })

  it('accepts a message that arrives after its close', async () => {
    const client = testClient()
    const popup = testPopup()
    const entering = client.loginWithProvider({ provider: 'google' })
    popup.close()
    await look(1)
    popup.post(opened)
    expect(await entering).toEqual(opened)
  })

  it('closes and rejects with popup-timeout after ten minutes', async () => {
    const popup = testPopup()
    const settled = outcomeOf(testClient().loginWithProvider({ provider: 'google' }))
    await look(1199)
    expect(settled).toEqual({})
    await look(1)
    expect(settled.outcome).toMatchObject({
      code: 'popup-timeout',
      message: 'Logging in took too long. Try again.',
      status: 0,
    })
    expect(popup.isClosed()).toBe(true)
  })

  it('is not watched after its message', async () => {
    const popup = testPopup()
    const entering = testClient().loginWithProvider({ provider: 'google' })
    popup.post(opened)
    await entering
    expect(vi.getTimerCount()).toBe(0)
  })

  it('does not change a newer login with a late message', async () => {
    const client = testClient()
    const first = testPopup()
    const older = client.loginWithProvider({ provider: 'google' })
    const second = testPopup()
    const newer = client.loginWithProvider({ provider: 'google' })
    second.post({ data: wireSession('token-of-bea', { id: 'mem_bea' }) })
    await newer
    first.post(opened)
    await older
    expect(client.getMemberToken()).toBe('token-of-bea')
  })
})

describeCalls(
  createProviderCalls,
  {
    disconnectProvider: {
      act: (client) => client.disconnectProvider({ provider: 'google' }),
      line: 'POST /member/disconnect-provider',
      body: { provider: 'google' },
      data: { providers: [] },
      message: 'Google is disconnected.',
    },
  },
  ['signupWithProvider', 'loginWithProvider', 'connectProvider'],
)
