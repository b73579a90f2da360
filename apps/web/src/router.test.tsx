import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderApp } from './testing/render-app.tsx'

const memberPaths = ['/account/dashboard', '/account/change-plan', '/changepassword', '/archive']
const publicPaths = ['/account/login', '/account/signup', '/resetpassword', '/viewgated/art_1', '/search']

describe('the router', () => {
  it.each(['/', '/nowhere', '/edition', '/account', '/footer/more'])(
    'redirects from %s to /home',
    async (path) => {
      const { router } = await renderApp({ path })
      await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
    },
  )

  it('redirects from an unknown path to / on the staging host', async () => {
    const { router } = await renderApp({
      path: '/nowhere',
      hostName: 'staging.example',
      config: { stagingHost: 'staging.example' },
    })
    const visited: string[] = []
    router.subscribe('onBeforeNavigate', ({ toLocation }) => visited.push(toLocation.pathname))
    await router.navigate({ href: '/elsewhere' })
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
  })

  it.each(memberPaths)('redirects a visitor from %s to /home', async (path) => {
    const { router } = await renderApp({ path })
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
  })

  it('redirects a visitor from a member’s path to / on the staging host', async () => {
    const { router } = await renderApp({
      path: '/footer',
      hostName: 'staging.example',
      config: { stagingHost: 'staging.example' },
    })
    const visited: string[] = []
    router.subscribe('onBeforeLoad', ({ toLocation }) => visited.push(toLocation.pathname))
    await router.navigate({ to: '/archive' })
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
    expect(visited).toContain('/')
  })

  it('redirects a visitor from /gated to the login, and remembers where to return', async () => {
    const { router } = await renderApp({ path: '/gated' })
    await waitFor(() => expect(router.state.location.pathname).toBe('/account/login'))
    expect(router.state.location.state).toMatchObject({ from: '/gated', hasEnded: false })
  })

  it('redirects a visitor whom a checkout sent to the change-plan screen to the login, and back', async () => {
    const path = '/account/change-plan?priceId=prc_yearly-plan-test'
    const { router } = await renderApp({ path })
    await waitFor(() => expect(router.state.location.pathname).toBe('/account/login'))
    expect(router.state.location.state).toMatchObject({ from: path })
  })

  it.each([...memberPaths, '/gated', ...publicPaths])('shows %s to a member', async (path) => {
    const { router } = await renderApp({ path, isLoggedIn: true })
    await screen.findByRole('heading', { level: 1 })
    expect(router.state.location.pathname).toBe(path)
  })

  it.each(publicPaths)('shows %s to a visitor', async (path) => {
    const { router } = await renderApp({ path })
    await screen.findByRole('heading', { level: 1 })
    expect(router.state.location.pathname).toBe(path)
  })

  it('follows the address while the page starts', async () => {
    await renderApp({ path: '/footer', goWhileStarting: '/account/login' })
    expect(await screen.findByRole('heading', { level: 1 })).toHaveProperty('textContent', 'Log in')
  })

  it('focuses a new screen', async () => {
    const { user } = await renderApp({ path: '/home' })
    await user.click(await screen.findByRole('link', { name: '© 2025' }))
    await screen.findByRole('heading', { name: 'Privacy Policy' })
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
    expect(document.title).toBe('About and legal · Tidings')
  })

  it.each([
    ['/home', 'memos'],
    ['/footer', 'content'],
  ])('offers to skip to the content of %s', async (path, id) => {
    const { user } = await renderApp({ path })
    await screen.findByRole('heading', { level: 1 })
    await user.click(screen.getByRole('button', { name: 'Skip to content' }))
    expect(document.activeElement?.id).toBe(id)
  })
})
