import { screen, waitFor } from '@testing-library/react'
import { wireMember } from '@tidings/client/testing/wire-samples'
import { updateAuth } from '@tidings/contracts/membership/auth'
import { updateMember } from '@tidings/contracts/membership/members'
import { HttpResponse, http } from 'msw/http'
import { describe, expect, it, vi } from 'vitest'
import { apiServer, fakeSite, serve } from '#testing/api-handlers.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { accountHandlers, fakeAccount } from '#testing/fake-account.ts'
import { fakeMembership } from '#testing/fake-membership.ts'
import { renderApp } from '#testing/render-app.tsx'

const path = '/account/dashboard'
const phone = '+12133734253'

async function renderDashboard(customFields: Record<string, unknown> = { name: 'Ada', phone }) {
  const member = wireMember({ verified: true, customFields })
  const site = fakeSite({ membership: fakeMembership({ member }) })
  const page = await renderApp({ path, site, isLoggedIn: true })
  await screen.findByDisplayValue(member.auth.email)
  await screen.findByRole('heading', { name: 'How it comes' })
  return { ...page, stored: () => site.membership.member, submit: () => page.user.click(button('Submit')) }
}

const button = (name: string) => screen.getByRole('button', { name })
const toggle = (name: string) => screen.getByRole<HTMLInputElement>('switch', { name })

function switchesOn(): (string | undefined)[] {
  const switches = screen.getAllByRole<HTMLInputElement>('switch')
  return switches.filter(({ checked }) => checked).map(({ labels }) => labels?.[0]?.textContent)
}

/** Serves `POST /member-auth` for the account. */
function serveEmailChange(account: { member: ReturnType<typeof wireMember> }): unknown[] {
  const bodies: unknown[] = []
  apiServer.use(
    fake(updateAuth, ({ body }) => {
      bodies.push(body)
      account.member.auth = { ...account.member.auth, email: body.email ?? '' }
      const message = { message: 'Your email was changed.' }
      return { data: account.member, _internalUseOnly: message }
    }),
  )
  return bodies
}

describe('the dashboard', () => {
  it('is titled as the product says, with its fields, switches and links in order', async () => {
    await renderDashboard()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Subscription options')
    expect(screen.getAllByRole('switch').map((input) => input.closest('label')?.textContent)).toEqual([
      'Memo by e-mail',
      'Memo by SMS',
      'PDF by e-mail',
      'PDF by SMS',
      'Evening digest',
    ])
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ada')
    await screen.findByDisplayValue('(213) 373-4253')
    const links = ['Choose a plan', 'Change password', 'Archive', 'Gated content', 'View memos']
    const paths = ['/account/change-plan', '/changepassword', '/archive', '/gated', '/home']
    const found = links.map((name) => screen.getByRole('link', { name }))
    expect(found.map((link) => link.getAttribute('href'))).toEqual(paths)
    const inOrder = [...document.querySelectorAll<HTMLElement>('main a')].filter((link) =>
      found.includes(link),
    )
    expect(inOrder).toEqual(found)
    expect(button('Log out')).toBeDefined()
  })

  it('refuses a phone number that is incomplete, and keeps the switches', async () => {
    const { user, submit, site } = await renderDashboard()
    await user.clear(screen.getByLabelText('Phone number'))
    await user.type(screen.getByLabelText('Phone number'), '213 373')
    await user.click(toggle('Evening digest'))
    await submit()
    await screen.findByText('Check the marked field.')
    expect(screen.getByText(/This isn’t a full phone number/).id).toBe('dashboard-phone-error')
    expect(switchesOn()).toEqual(['Evening digest'])
    expect(site.calls).not.toContain('POST /member')
  })

  it('keeps a number that another client stored as a text', async () => {
    const { submit, stored } = await renderDashboard({ name: 'Ada', phone: 'ask my office' })
    await submit()
    await screen.findByText('Update succeeded')
    expect(stored().customFields.phone).toBe('ask my office')
  })

  it('saves details and delivery methods, and says so for five seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { user, stored, submit, site } = await renderDashboard()
    await user.clear(screen.getByLabelText('Name'))
    await user.type(screen.getByLabelText('Name'), ' Ada Reader ')
    await user.click(toggle('Memo by e-mail'))
    await user.click(toggle('PDF by SMS'))
    await submit()
    await screen.findByText('Update succeeded')
    expect(stored().customFields).toEqual({
      name: 'Ada Reader',
      phone,
      getmemomethodbyemail: true,
      getPDFMethodBySMS: true,
    })
    expect(site.calls).not.toContain('POST /member-auth')
    expect(switchesOn()).toEqual(['Memo by e-mail', 'PDF by SMS'])
    await vi.advanceTimersByTimeAsync(5000)
    await waitFor(() => expect(screen.queryByText('Update succeeded')).toBeNull())
  })

  it('turns the other methods off with the digest, and the digest off with memos', async () => {
    const { user } = await renderDashboard({
      name: 'Ada',
      getmemomethodbyemail: true,
      getPDFMethodBySMS: true,
    })
    await user.click(toggle('Evening digest'))
    expect(switchesOn()).toEqual(['Evening digest'])
    await user.click(toggle('Memo by SMS'))
    expect(switchesOn()).toEqual(['Memo by SMS'])
  })

  it('keeps PDFs off while the digest is on, and says so until something else is chosen', async () => {
    const { user } = await renderDashboard({ name: 'Ada', combinestatus: true })
    await user.click(toggle('PDF by e-mail'))
    expect(switchesOn()).toEqual(['Evening digest'])
    expect(screen.getByText('With the digest, PDFs are off.')).toBeDefined()
    await user.click(toggle('Evening digest'))
    expect(switchesOn()).toEqual([])
    expect(screen.queryByText(/With the digest/)).toBeNull()
    await user.click(toggle('PDF by e-mail'))
    expect(switchesOn()).toEqual(['PDF by e-mail'])
  })

  it('shows what is delivered of fields that exclude each other, and stores that', async () => {
    const fields = { name: 'Ada', phone, combinestatus: 'true', getmemomethodbyemail: true }
    const { submit, stored } = await renderDashboard({ ...fields, getPDFMethodBySMS: true })
    expect(switchesOn()).toEqual(['Evening digest'])
    expect(screen.getByText('With the digest, memos and PDFs are off.')).toBeDefined()
    await submit()
    await screen.findByText('Update succeeded')
    expect(stored().customFields).toMatchObject({
      combinestatus: 'true',
      getmemomethodbyemail: false,
      getPDFMethodBySMS: false,
    })
    expect(screen.queryByText(/With the digest/)).toBeNull()
  })

  it('keeps the switches and what was typed when saving fails', async () => {
    const { user, submit } = await renderDashboard({ name: 'Ada', phone, combinestatus: true })
    apiServer.use(
      fake(updateMember, () => errorResponse(429, 'too-many-requests', 'Slow down.'), {
        once: true,
      }),
    )
    await user.type(screen.getByLabelText('Name'), ' B')
    await user.click(toggle('Memo by e-mail'))
    await submit()
    await screen.findByText('Slow down.')
    expect(switchesOn()).toEqual(['Memo by e-mail'])
    expect(screen.getByText('Not saved yet')).toBeDefined()
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ada B')
  })

  it('keeps the switches when the server is unreachable', async () => {
    const { user, submit } = await renderDashboard()
    apiServer.use(http.all('*', () => HttpResponse.error()))
    await user.click(toggle('Evening digest'))
    await submit()
    await screen.findByText('We can’t reach the server. Check your connection and try again.')
    expect(switchesOn()).toEqual(['Evening digest'])
  })

  it('refuses memos by SMS alone without a phone number, and focuses the field', async () => {
    const { user, submit, site } = await renderDashboard({ name: 'Ada' })
    await user.click(toggle('Memo by SMS'))
    await submit()
    await screen.findByText('Please check value to update')
    expect(document.activeElement).toBe(screen.getByLabelText('Phone number'))
    expect(screen.getByText('Enter your phone number.')).toBeDefined()
    expect(site.calls).not.toContain('POST /member')
  })

  it('stores a phone number in E.164', async () => {
    const { user, stored, submit } = await renderDashboard({ name: 'Ada' })
    await user.type(screen.getByLabelText('Phone number'), '213 373 4253')
    await submit()
    await screen.findByText('Update succeeded')
    expect(stored().customFields.phone).toBe(phone)
  })

  it('changes the address only when it differs, says what that means, and remembers it', async () => {
    const { user, site, submit } = await renderDashboard()
    const bodies = serveEmailChange(site.membership)
    const email = screen.getByLabelText('Email')
    await user.clear(email)
    await user.type(email, 'ADA@example.com')
    await submit()
    await screen.findByText('Update succeeded')
    expect(bodies).toEqual([])
    await user.clear(email)
    await user.type(email, 'ada@new.example')
    expect(email.getAttribute('aria-describedby')).toBe(screen.getByText(/Your other devices/).id)
    await submit()
    await waitFor(() => expect(bodies).toEqual([{ email: 'ada@new.example' }]))
    await waitFor(() => expect(window.localStorage.getItem('email')).toBe('ada@new.example'))
  })

  it('shows next to the field why an address is refused, and saves nothing', async () => {
    const { user, site, submit } = await renderDashboard()
    apiServer.use(
      fake(updateAuth, () => errorResponse(409, 'email-already-in-use', 'This email is already in use.')),
    )
    await user.type(screen.getByLabelText('Email'), '.org')
    await submit()
    await screen.findByText('This email is already in use.')
    expect(document.activeElement).toBe(screen.getByLabelText('Email'))
    expect(site.calls).not.toContain('POST /member')
  })

  it('keeps the stored address when the field is left empty', async () => {
    const { user, submit } = await renderDashboard()
    await user.clear(screen.getByLabelText('Email'))
    await submit()
    await screen.findByText('Update succeeded')
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.com')
  })

  it('shows a member offline what was known last', async () => {
    window.sessionStorage.setItem('isProtectionVerified', 'true')
    await renderApp({ path, isLoggedIn: true, offline: true })
    await screen.findByDisplayValue('ada@example.com')
  })

  it('says when the account cannot be loaded, and tries again', async () => {
    const site = fakeSite()
    window.sessionStorage.setItem('isProtectionVerified', 'true')
    window.localStorage.setItem('_ms-mid', 'token-of-ada')
    site.membership.hasSession = true
    const { user } = await renderApp({ path, site, offline: true })
    const again = await screen.findByRole('button', { name: 'Try again' })
    expect(screen.getByText('We can’t reach the server. Check your connection and try again.')).toBeDefined()
    apiServer.resetHandlers(...accountHandlers(site.membership, fakeAccount()))
    serve(site)
    await user.click(again)
    await screen.findByDisplayValue('ada@example.com')
  })

  it('leads to the login and back when the session has ended', async () => {
    const { user, site, router, submit } = await renderDashboard()
    site.membership.hasSession = false
    await user.click(toggle('Evening digest'))
    await submit()
    await waitFor(() => expect(router.state.location.pathname).toBe('/account/login'))
    expect(router.state.location.state).toMatchObject({ from: path, hasEnded: true })
  })
})
