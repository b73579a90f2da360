import { screen, waitFor } from '@testing-library/react'
import { passGate } from '@tidings/contracts/gate'
import { messages } from '@tidings/contracts/membership/messages'
import { HttpResponse } from 'msw/http'
import { describe, expect, it, vi } from 'vitest'
import { offlineText } from '#lib/browser/connection.ts'
import { apiServer, fakeSite, serve, wireMemo } from '#testing/api-handlers.ts'
import { setOnline } from '#testing/connection.ts'
import { expectConsoleErrors } from '#testing/console-errors.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { renderApp } from '#testing/render-app.tsx'

function closedSite() {
  return fakeSite({
    gate: { on: true, passed: false, password: 'tidings' },
    editions: { '11-20-26-10AM': [wireMemo({ title: 'Harbour opens' })] },
  })
}

describe('the gate', () => {
  it.each(['/home', '/edition/11-20-26-10AM', '/footer', '/auth', '/account/login', '/nowhere'])(
    'redirects from %s to /protect until it is passed',
    async (path) => {
      const { router } = await renderApp({ path, site: closedSite() })
      await screen.findByLabelText('Password')
      expect(router.state.location.pathname).toBe('/protect')
    },
  )

  it('accepts the right password, leads to /home and sets the session flag', async () => {
    const { router, user } = await renderApp({ path: '/protect', site: closedSite() })
    await user.type(await screen.findByLabelText('Password'), 'tidings{Enter}')
    await screen.findByRole('button', { name: 'Harbour opens' })
    expect(router.state.location.pathname).toBe('/home')
    expect(window.sessionStorage.getItem('isProtectionVerified')).toBe('true')
  })

  it.each(['/edition/11-20-26-10AM', '/footer', '/account/dashboard?session=cs_1#plan'])(
    'leads to %s, where the link led',
    async (path) => {
      const { router, user } = await renderApp({ path, site: closedSite(), isLoggedIn: true })
      const field = await screen.findByLabelText('Password')
      expect(router.state.location.href).toBe('/protect')
      await user.type(field, 'tidings{Enter}')
      await waitFor(() => expect(router.state.location.href).toBe(path))
    },
  )

  it('leads back to the edition that was read when the pass expired', async () => {
    const { router, site, queryClient, user } = await renderApp({
      path: '/edition/11-20-26-10AM',
      site: { ...closedSite(), gate: { on: true, passed: true, password: 'tidings' } },
    })
    await user.click(await screen.findByRole('button', { name: 'Harbour opens' }))
    site.gate.passed = false
    await queryClient.invalidateQueries({ queryKey: ['memos'] })
    await user.type(await screen.findByLabelText('Password'), 'tidings{Enter}')
    const title = await screen.findByRole('button', { name: 'Harbour opens' })
    expect(router.state.location.pathname).toBe('/edition/11-20-26-10AM')
    expect(title.getAttribute('aria-expanded')).toBe('true')
  })

  it('redirects a reader who has passed it away from /protect', async () => {
    const { router } = await renderApp({ path: '/protect' })
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
  })

  it('is open when the server has it turned off', async () => {
    const site = fakeSite({ gate: { on: false, passed: false, password: '' } })
    const { router } = await renderApp({ path: '/home', site })
    await screen.findByRole('heading', { name: 'November 20' })
    expect(router.state.location.pathname).toBe('/home')
  })

  it('rejects an empty password without a request', async () => {
    const { user, site } = await renderApp({ path: '/protect', site: closedSite() })
    await user.click(await screen.findByRole('button', { name: 'Enter' }))
    await screen.findByText(messages.enterPassword)
    expect(site.calls).not.toContain('POST /gate')
  })

  it('reports a wrong password at the field and clears the field', async () => {
    const { user } = await renderApp({ path: '/protect', site: closedSite() })
    const field = await screen.findByLabelText('Password')
    await user.type(field, 'wrong{Enter}')
    await screen.findByText(messages.invalidPassword)
    expect(field).toHaveProperty('value', '')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(field.getAttribute('aria-describedby')).toBe('gate-password-error')
    await user.type(field, 't')
    expect(field.getAttribute('aria-invalid')).toBe('false')
  })

  it.each([
    [503, 'configuration-error', 'No password is configured', messages.configurationError],
    [500, 'unknown-error', 'Broken', messages.unexpected],
    [429, 'too-many-requests', 'Please try again in a minute.', 'Please try again in a minute.'],
  ])('shows a message for status %i with %s', async (status, code, message, shown) => {
    const { user } = await renderApp({ path: '/protect', site: closedSite() })
    apiServer.use(fake(passGate, () => errorResponse(status, code, message)))
    await user.type(await screen.findByLabelText('Password'), 'tidings{Enter}')
    await screen.findByText(shown)
  })

  it('says that the device is offline, until it has a connection again', async () => {
    const { user, router } = await renderApp({ path: '/protect', site: closedSite() })
    const field = await screen.findByLabelText('Password')
    setOnline(false)
    expect(screen.getByText(offlineText).id).toBe('gate-message')
    apiServer.use(fake(passGate, () => HttpResponse.error(), { once: true }))
    await user.type(field, 'tidings{Enter}')
    await waitFor(() => expect(screen.getByText(offlineText).dataset.error).toBe('true'))
    expect(field).toHaveProperty('value', 'tidings')
    setOnline(true)
    await user.click(screen.getByRole('button', { name: 'Enter' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
  })

  it('clears its message after five seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    const { user } = await renderApp({
      path: '/protect',
      site: closedSite(),
      advanceTimers: vi.advanceTimersByTime,
    })
    await user.click(await screen.findByRole('button', { name: 'Enter' }))
    await screen.findByText(messages.enterPassword)
    vi.advanceTimersByTime(5000)
    await waitFor(() => expect(screen.queryByText(messages.enterPassword)).toBeNull())
  })

  it('shows the password when asked to', async () => {
    const { user } = await renderApp({ path: '/protect', site: closedSite() })
    const field = await screen.findByLabelText('Password')
    await user.click(screen.getByRole('button', { name: 'Show password' }))
    expect(field.getAttribute('type')).toBe('text')
    expect(screen.getByRole('button', { name: 'Hide password' })).toBeDefined()
  })

  it('closes again when any request fails with gate-required', async () => {
    window.sessionStorage.setItem('isProtectionVerified', 'true')
    const { router } = await renderApp({ path: '/home', site: closedSite() })
    await screen.findByLabelText('Password')
    expect(router.state.location.pathname).toBe('/protect')
    expect(window.sessionStorage.getItem('isProtectionVerified')).toBeNull()
  })

  it('tells an offline reader and lets them try again', async () => {
    const site = fakeSite({ gate: { on: false, passed: false, password: '' } })
    const { user } = await renderApp({ path: '/home', site, offline: true })
    await screen.findByText(/You’re offline/)
    expectConsoleErrors(/route match|CatchBoundary/)
    serve(site)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('heading', { name: 'November 20' })
  })
})
