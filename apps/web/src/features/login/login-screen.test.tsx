import { screen, waitFor } from '@testing-library/react'
import { wireMember } from '@tidings/client/testing/wire-samples'
import { getGate } from '@tidings/contracts/gate'
import { login } from '@tidings/contracts/membership/auth'
import { HttpResponse } from 'msw/http'
import { describe, expect, it, vi } from 'vitest'
import { apiServer, fakeSite } from '#testing/api-handlers.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { checkoutPage, fakeMembership, wirePlanConnection } from '#testing/fake-membership.ts'
import { holdCall } from '#testing/held-request.ts'
import { renderApp } from '#testing/render-app.tsx'

const withPlan = { planConnections: [wirePlanConnection('monthly')] }

function siteWithMember(member: Parameters<typeof wireMember>[0] = withPlan) {
  return fakeSite({ membership: fakeMembership({ member: wireMember(member) }) })
}

async function logIn(user: Awaited<ReturnType<typeof renderApp>>['user'], password = 'a long password') {
  await user.type(await screen.findByLabelText('Email'), 'ada@example.com')
  await user.type(screen.getByLabelText('Password'), `${password}{Enter}`)
}

describe('the login', () => {
  it('has labeled fields that password managers fill in, and its links', async () => {
    await renderApp({ path: '/account/login' })
    const email = await screen.findByLabelText<HTMLInputElement>('Email')
    const password = screen.getByLabelText<HTMLInputElement>('Password')
    expect([email.type, email.autocomplete]).toEqual(['email', 'username'])
    expect([password.type, password.autocomplete]).toEqual(['password', 'current-password'])
    expect(screen.getByRole('link', { name: 'Forgot password' }).getAttribute('href')).toBe('/resetpassword')
    expect(screen.getByRole('link', { name: 'Go back' }).getAttribute('href')).toBe('/home')
  })

  it('requires both values, says which are missing, and focuses the first', async () => {
    const { user, site } = await renderApp({ path: '/account/login' })
    await user.type(await screen.findByLabelText('Password'), 'a long password{Enter}')
    await screen.findByText('Please input all values.')
    const email = screen.getByLabelText('Email')
    expect(email.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(email.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Enter your email.',
    )
    expect(document.activeElement).toBe(email)
    await user.type(email, 'ada@example.c')
    expect(screen.getByText('Please enter a valid email address')).toBeDefined()
    await user.type(email, 'om')
    expect(email.getAttribute('aria-invalid')).toBe('false')
    expect(site.calls).not.toContain('POST /auth/login')
  })

  it('clears its message after five seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { user } = await renderApp({
      path: '/account/login',
      advanceTimers: (ms) => void vi.advanceTimersByTime(ms),
    })
    await user.click(await screen.findByRole('button', { name: 'Submit' }))
    await screen.findByText('Please input all values.')
    await vi.advanceTimersByTimeAsync(5000)
    await waitFor(() => expect(screen.queryByText('Please input all values.')).toBeNull())
  })

  it('leads a member with a plan to the dashboard, and remembers the address', async () => {
    const { user, router, site } = await renderApp({ path: '/account/login', site: siteWithMember() })
    await logIn(user)
    await waitFor(() => expect(router.state.location.pathname).toBe('/account/dashboard'))
    expect(window.localStorage.getItem('email')).toBe('ada@example.com')
    expect(window.localStorage.getItem('_ms-mid')).toBe('token-of-ada')
    expect(site.membership.checkouts).toEqual([])
  })

  it('starts the checkout of the monthly plan for a member without a plan', async () => {
    const { user, services, site } = await renderApp({ path: '/account/login' })
    await logIn(user)
    await waitFor(() => expect(services.openPage).toHaveBeenCalledWith(checkoutPage))
    expect(site.membership.checkouts).toEqual([
      {
        priceId: 'prc_monthly-plan-test',
        successUrl: 'http://localhost:3000/#/account/dashboard?checkout=done',
        cancelUrl: 'http://localhost:3000/#/account/dashboard?checkout=canceled',
      },
    ])
    expect(screen.getByText('Please wait...')).toBeDefined()
  })

  it('leads to the dashboard when the checkout fails', async () => {
    const { user, router, site } = await renderApp({ path: '/account/login' })
    site.membership.plans = []
    await logIn(user)
    await waitFor(() => expect(router.state.location.pathname).toBe('/account/dashboard'))
  })

  it('shows why it failed, and stays', async () => {
    const { user, router } = await renderApp({ path: '/account/login' })
    await logIn(user, 'another password')
    await screen.findByText('Your email or password is incorrect. Check both and try again.')
    expect(router.state.location.pathname).toBe('/account/login')
  })

  it('fails without the message of a successful login', async () => {
    const { user, router } = await renderApp({ path: '/account/login', site: siteWithMember() })
    apiServer.use(
      fake(login, () =>
        HttpResponse.json({
          data: { tokens: { accessToken: 'x' }, member: wireMember(withPlan) },
          _internalUseOnly: { message: 'Come back later.' },
        }),
      ),
    )
    await logIn(user)
    await screen.findByText('Come back later.')
    expect(router.state.location.pathname).toBe('/account/login')
  })

  it('says so without a connection', async () => {
    const { user } = await renderApp({ path: '/account/login' })
    apiServer.use(fake(login, () => HttpResponse.error()))
    await logIn(user)
    await screen.findByText('We can’t reach the server. Check your connection and try again.')
  })

  it('marks an address that the server does not accept', async () => {
    const { user } = await renderApp({ path: '/account/login' })
    apiServer.use(
      fake(login, () => errorResponse(400, 'invalid-email', 'Please enter a valid email address')),
    )
    await logIn(user)
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Email')))
    expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true')
  })

  it('sends one request for a second click', async () => {
    const { user, site, router } = await renderApp({ path: '/account/login', site: siteWithMember() })
    await user.type(await screen.findByLabelText('Email'), 'ada@example.com')
    await user.type(screen.getByLabelText('Password'), 'a long password')
    await user.dblClick(screen.getByRole('button', { name: 'Submit' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/account/dashboard'))
    expect(site.calls.filter((call) => call === 'POST /auth/login')).toHaveLength(1)
  })

  it.each([
    ['with a plan', withPlan],
    ['without a plan', {}],
  ])('of a member %s leaves a reader who has gone on where they are', async (_, member) => {
    const { user, services, router } = await renderApp({
      path: '/account/login',
      site: siteWithMember(member),
    })
    const held = holdCall(login)
    await logIn(user)
    await held.arrived
    await user.click(screen.getByRole('link', { name: 'Go back' }))
    await screen.findByRole('link', { name: 'Log in' })
    held.release()
    await screen.findByRole('button', { name: 'Log out' })
    await fetch(getGate.path)
    expect(router.state.location.pathname).toBe('/home')
    expect(services.openPage).not.toHaveBeenCalled()
  })

  it('says that the session has ended, and returns to where the member was', async () => {
    const { user, router, services, site } = await renderApp({
      path: '/archive?year=2025',
      site: siteWithMember(),
      isLoggedIn: true,
    })
    site.membership.hasSession = false
    await services.memberSession.verify()
    await screen.findByText('Your session has ended. Log in again to continue where you were.')
    await logIn(user)
    await waitFor(() => expect(router.state.location.href).toBe('/archive?year=2025'))
  })

  it('leads back to the articles after the payment was canceled', async () => {
    const { user, services, site } = await renderApp({ path: '/gated' })
    await screen.findByText('Log in to continue.')
    await logIn(user)
    await waitFor(() => expect(services.openPage).toHaveBeenCalled())
    expect(site.membership.checkouts[0]?.cancelUrl).toBe('http://localhost:3000/#/gated')
  })

  it('ignores a way back that leads to another site', async () => {
    const { user, router } = await renderApp({ path: '/home', site: siteWithMember() })
    await router.navigate({ to: '/account/login', state: { from: '//evil.example' } })
    await logIn(user)
    await waitFor(() => expect(router.state.location.href).toBe('/account/dashboard'))
  })

  it('offers a member who is logged in to continue', async () => {
    const { user, router } = await renderApp({ path: '/account/login', isLoggedIn: true })
    await user.click(await screen.findByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/account/dashboard'))
  })

  it('starts with the address of the last login', async () => {
    window.localStorage.setItem('email', 'ada@example.com')
    await renderApp({ path: '/account/login' })
    await screen.findByDisplayValue('ada@example.com')
  })
})
