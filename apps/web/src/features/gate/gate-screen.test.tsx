import { screen, waitFor } from '@testing-library/react'
import { messages } from '@tidings/contracts/messages'
import { paths } from '@tidings/contracts/paths'
import { http } from 'msw/http'
import { describe, expect, it, vi } from 'vitest'
import { apiServer, fakeSite, refuse, serve, wireMemo } from '../../testing/api-handlers.ts'
import { expectComplaints } from '../../testing/complaints.ts'
import { renderApp } from '../../testing/render-app.tsx'

function closedSite() {
  return fakeSite({
    gate: { on: true, passed: false, password: 'tidings' },
    editions: { '11-20-26-10AM': [wireMemo({ title: 'Harbour opens' })] },
  })
}

describe('the gate', () => {
  it.each(['/home', '/edition/11-20-26-10AM', '/footer', '/auth', '/account/login', '/nowhere'])(
    'leads from %s to /protect until it is passed',
    async (path) => {
      const { router } = await renderApp({ path, site: closedSite() })
      await screen.findByLabelText('Password')
      expect(router.state.location.pathname).toBe('/protect')
    },
  )

  it('opens to the right password, leads to /home and notes it for the session', async () => {
    const { router, user } = await renderApp({ path: '/protect', site: closedSite() })
    await user.type(await screen.findByLabelText('Password'), 'tidings{Enter}')
    await screen.findByRole('button', { name: 'Harbour opens' })
    expect(router.state.location.pathname).toBe('/home')
    expect(window.sessionStorage.getItem('isProtectionVerified')).toBe('true')
  })

  it('leads a reader who passed it away from /protect', async () => {
    const { router } = await renderApp({ path: '/protect' })
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
  })

  it('stands open when the server has it off', async () => {
    const site = fakeSite({ gate: { on: false, passed: false, password: '' } })
    const { router } = await renderApp({ path: '/home', site })
    await screen.findByRole('heading', { name: 'November 20' })
    expect(router.state.location.pathname).toBe('/home')
  })

  it('refuses an empty password without a call', async () => {
    const { user, site } = await renderApp({ path: '/protect', site: closedSite() })
    await user.click(await screen.findByRole('button', { name: 'Enter' }))
    await screen.findByText(messages.enterPassword)
    expect(site.calls).not.toContain('POST /gate')
  })

  it('says that a password is wrong, ties it to the field and clears the field', async () => {
    const { user } = await renderApp({ path: '/protect', site: closedSite() })
    const field = await screen.findByLabelText('Password')
    await user.type(field, 'wrong{Enter}')
    await screen.findByText(messages.invalidPassword)
    expect(field).toHaveProperty('value', '')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(field.getAttribute('aria-describedby')).toBe('gate-line')
  })

  it.each([
    [503, 'configuration-error', 'No password is set', messages.configurationError],
    [500, 'unknown-error', 'Broken', messages.unexpected],
    [429, 'too-many-requests', 'Please try again in a minute.', 'Please try again in a minute.'],
  ])('turns a %i with %s into a line', async (status, code, message, line) => {
    const { user } = await renderApp({ path: '/protect', site: closedSite() })
    apiServer.use(http.post(paths.gate, () => refuse(status, code, message)))
    await user.type(await screen.findByLabelText('Password'), 'tidings{Enter}')
    await screen.findByText(line)
  })

  it('clears its line after five seconds', async () => {
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

  it('shows the password on demand', async () => {
    const { user } = await renderApp({ path: '/protect', site: closedSite() })
    const field = await screen.findByLabelText('Password')
    await user.click(screen.getByRole('button', { name: 'Show password' }))
    expect(field.getAttribute('type')).toBe('text')
    expect(screen.getByRole('button', { name: 'Hide password' })).toBeDefined()
  })

  it('closes again when any call answers that it is needed', async () => {
    window.sessionStorage.setItem('isProtectionVerified', 'true')
    const { router } = await renderApp({ path: '/home', site: closedSite() })
    await screen.findByLabelText('Password')
    expect(router.state.location.pathname).toBe('/protect')
    expect(window.sessionStorage.getItem('isProtectionVerified')).toBeNull()
  })

  it('tells a reader without a network so, with a way to try again', async () => {
    const site = fakeSite({ gate: { on: false, passed: false, password: '' } })
    const { user } = await renderApp({ path: '/home', site, offline: true })
    await screen.findByText(/You seem to be offline/)
    expectComplaints(/route match|CatchBoundary/)
    serve(site)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('heading', { name: 'November 20' })
  })
})
