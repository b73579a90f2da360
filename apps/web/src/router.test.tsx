import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderApp } from './testing/render-app.tsx'

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

  it.each([
    '/account/login',
    '/account/signup',
    '/account/dashboard',
    '/account/change-plan',
    '/resetpassword',
    '/changepassword',
    '/archive',
    '/gated',
    '/viewgated/art_1',
  ])('shows at %s that the screen is coming soon and links to the memos', async (path) => {
    const { user, router } = await renderApp({ path })
    await screen.findByRole('heading', { name: 'Coming soon' })
    await user.click(screen.getByRole('link', { name: 'View memos' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
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
