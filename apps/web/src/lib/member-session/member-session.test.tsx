import { screen, waitFor } from '@testing-library/react'
import { logout } from '@tidings/contracts/membership/auth'
import { HttpResponse } from 'msw/http'
import { afterEach, describe, expect, it } from 'vitest'
import { apiServer, fakeSite, wireMemo } from '#testing/api-handlers.ts'
import { fake } from '#testing/fake.ts'
import { renderApp } from '#testing/render-app.tsx'
import { ApiError } from '../api/api-client.ts'
import { exposeClient } from './expose-client.ts'

const editions = { '11-20-26-10AM': [wireMemo({ title: 'First' })] }

async function footNames() {
  const foot = (await screen.findByText(/Log (in|out)/)).closest('footer')
  return [...(foot?.querySelectorAll('a, button') ?? [])].map(({ textContent }) => textContent)
}

describe('a stored session', () => {
  it('shows a member’s links below the memos at once', async () => {
    const site = fakeSite({ editions })
    await renderApp({ path: '/home', site, isLoggedIn: true })
    expect(await footNames()).toEqual(['Search', 'Archive', 'Account', 'Log out'])
    expect(site.calls).not.toContain('GET /member')
  })

  it('is missing for a visitor, who sees the links to become a member', async () => {
    await renderApp({ path: '/home', site: fakeSite({ editions }) })
    expect(await footNames()).toEqual(['Search', 'Sign up', 'Log in', '© 2025'])
  })

  it('ends by logging out, with the server’s message', async () => {
    const { site, user } = await renderApp({ path: '/home', site: fakeSite({ editions }), isLoggedIn: true })
    await user.click(await screen.findByRole('button', { name: 'Log out' }))
    await screen.findByText('You’re logged out.')
    expect(await footNames()).toEqual(['Search', 'Sign up', 'Log in', '© 2025'])
    expect(site.membership.hasSession).toBe(false)
    expect(window.localStorage.getItem('_ms-mid')).toBeNull()
  })

  it('stays when logging out fails, and says why', async () => {
    const { user } = await renderApp({ path: '/home', site: fakeSite({ editions }), isLoggedIn: true })
    apiServer.use(fake(logout, () => HttpResponse.error()))
    await user.click(await screen.findByRole('button', { name: 'Log out' }))
    await screen.findByText('We can’t reach the server. Check your connection and try again.')
    expect(screen.getByRole('button', { name: 'Log out' })).toBeDefined()
  })

  it('that ended elsewhere leads from a member’s screen to the login, and remembers the way back', async () => {
    const { router, services, site } = await renderApp({ path: '/archive?year=2025', isLoggedIn: true })
    site.membership.hasSession = false
    await services.memberSession.verify()
    await waitFor(() => expect(router.state.location.pathname).toBe('/account/login'))
    expect(router.state.location.state).toMatchObject({ from: '/archive?year=2025', hasEnded: true })
  })

  it.each(['login-required', 'client/invalid-token'])(
    'that ended elsewhere is noticed by a refused request (%s)',
    async (code) => {
      const { router, queryClient, site } = await renderApp({ path: '/archive', isLoggedIn: true })
      site.membership.hasSession = false
      const refused = () => Promise.reject(new ApiError(401, code, 'Log in first.'))
      await expect(queryClient.fetchQuery({ queryKey: ['refused'], queryFn: refused })).rejects.toThrow()
      await waitFor(() => expect(router.state.location.pathname).toBe('/account/login'))
    },
  )

  it('stays when a refused request was not about the session', async () => {
    const { router, queryClient } = await renderApp({ path: '/archive', isLoggedIn: true })
    const refused = () => Promise.reject(new ApiError(403, 'access-denied', 'Another plan opens this.'))
    await expect(queryClient.fetchQuery({ queryKey: ['refused'], queryFn: refused })).rejects.toThrow()
    expect(router.state.location.pathname).toBe('/archive')
  })

  it('leads from a member’s screen to /home after a logout', async () => {
    const { router, services } = await renderApp({ path: '/archive', isLoggedIn: true })
    await services.memberSession.leave((client) => client.logout())
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
  })

  it('follows a login and a logout in another tab', async () => {
    const { services } = await renderApp({ path: '/home', site: fakeSite({ editions }) })
    await footNames()
    changeInAnotherTab('token-of-ada')
    await screen.findByRole('button', { name: 'Log out' })
    changeInAnotherTab(null)
    await screen.findByRole('link', { name: 'Log in' })
    expect(services.memberSession.loadedClient()).toBeNull()
  })
})

describe('$membership', () => {
  const onPage = () => Reflect.get(window, '$membership')

  afterEach(() => {
    Reflect.deleteProperty(window, '$membership')
  })

  it('is there at once: calls wait for the client, which the first one loads', async () => {
    const { services } = await renderApp({ path: '/home', isLoggedIn: true })
    exposeClient(window, services.memberSession)
    const early = await onPage()
    expect(services.memberSession.loadedClient()).toBeNull()
    const { data } = await early.getCurrentMember()
    expect(data.auth.email).toMatch(/@/)
    expect(await early.onReady).toEqual(data)
    expect(onPage()).toBe(await services.memberSession.getClient())
  })
})

function changeInAnotherTab(token: string | null): void {
  const before = window.localStorage.getItem('_ms-mid')
  if (token === null) window.localStorage.removeItem('_ms-mid')
  else window.localStorage.setItem('_ms-mid', token)
  const change = { key: '_ms-mid', oldValue: before, newValue: token, storageArea: window.localStorage }
  window.dispatchEvent(new StorageEvent('storage', change))
}
