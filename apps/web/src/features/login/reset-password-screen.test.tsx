import { act, screen, waitFor } from '@testing-library/react'
import { resetPassword } from '@tidings/contracts/membership/auth'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { apiServer } from '#testing/api-handlers.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { holdCall } from '#testing/held-request.ts'
import { renderApp } from '#testing/render-app.tsx'
import { testNow } from '#testing/test-services.ts'

async function renderSecondStep() {
  const app = await renderApp({
    path: '/resetpassword',
    advanceTimers: (ms) => void (vi.isFakeTimers() && vi.advanceTimersByTime(ms)),
  })
  await app.user.type(await screen.findByLabelText('Email'), 'ada@example.com')
  await app.user.click(screen.getByRole('button', { name: 'Reset password' }))
  await screen.findByRole('heading', { name: 'Check your email' })
  return app
}

afterEach(() => void vi.useRealTimers())

const statusLine = () => document.querySelector('.status-line')?.textContent

describe('a forgotten password', () => {
  it('requires an address', async () => {
    const { user, site } = await renderApp({ path: '/resetpassword' })
    await user.click(await screen.findByRole('button', { name: 'Reset password' }))
    await screen.findByText('Please input your email.')
    expect(document.activeElement).toBe(screen.getByLabelText('Email'))
    expect(site.calls).not.toContain('POST /auth/send-reset-password-email')
    expect(screen.getByRole('link', { name: 'Go back' }).getAttribute('href')).toBe('/account/login')
  })

  it('starts with the address that was typed at the login', async () => {
    const { user } = await renderApp({ path: '/account/login' })
    await user.type(await screen.findByLabelText('Email'), 'ada@example.com')
    await user.click(screen.getByRole('link', { name: 'Forgot password' }))
    await screen.findByRole('heading', { name: 'Forgot password' })
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.com')
  })

  it('sends a code, and asks for it and the new password', async () => {
    await renderSecondStep()
    expect(document.activeElement).toBe(screen.getByRole('main'))
    expect(document.title).toBe('Check your email · Tidings')
    const code = screen.getByLabelText<HTMLInputElement>('Code')
    expect([code.autocomplete, code.inputMode]).toEqual(['one-time-code', 'numeric'])
    expect(screen.getByLabelText<HTMLInputElement>('New password').autocomplete).toBe('new-password')
    expect(document.querySelector<HTMLInputElement>('input[autocomplete=username]')?.value).toBe(
      'ada@example.com',
    )
  })

  it('sets the password, shows the server’s message and leads to the login', async () => {
    const { user, site, router } = await renderSecondStep()
    await user.click(screen.getByLabelText('Code'))
    await user.paste(' 123 456 ')
    await user.type(screen.getByLabelText('New password'), 'a new password{Enter}')
    await screen.findByRole('heading', { name: 'Password changed' })
    expect(document.title).toBe('Password changed · Tidings')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
    expect(screen.getByRole('main').textContent).toBe(
      'Password changedYou can log in with your new password now.Log in',
    )
    expect(site.membership.password).toBe('a new password')
    expect(screen.queryByLabelText('Code')).toBeNull()
    await user.click(screen.getByRole('link', { name: 'Log in' }))
    await screen.findByDisplayValue('ada@example.com')
    expect(router.state.location.pathname).toBe('/account/login')
  })

  it.each([
    'Your Tidings code is 123 456. It works for 60 minutes.',
    '\u202a１２３\u2011４５６\u202c',
    '123-456',
  ])('finds the code in the pasted text %j', async (text) => {
    const { user } = await renderSecondStep()
    await user.click(screen.getByLabelText('Code'))
    await user.paste(text)
    expect(screen.getByLabelText('Code')).toHaveProperty('value', '123456')
  })

  it('does not call a reader back who has gone on, and says there that the password is set', async () => {
    const { user, router } = await renderSecondStep()
    const held = holdCall(resetPassword)
    await user.type(screen.getByLabelText('Code'), '123456')
    await user.type(screen.getByLabelText('New password'), 'a new password{Enter}')
    await held.arrived
    await user.click(screen.getByRole('link', { name: 'Go back' }))
    await screen.findByRole('heading', { name: 'Log in' })
    held.release()
    await screen.findByText('You can log in with your new password now.')
    expect(router.state.location.pathname).toBe('/account/login')
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.com')
  })

  it('says once that a code is wrong, and sends another once the first can’t be on its way', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { user, site, setNow } = await renderSecondStep()
    const code = screen.getByLabelText<HTMLInputElement>('Code')
    await user.type(code, '000000')
    await user.type(screen.getByLabelText('New password'), 'a new password{Enter}')
    expect((await screen.findByRole('alert')).textContent).toBe('This code is wrong or expired.')
    await waitFor(() => expect(document.activeElement).toBe(code))
    expect(statusLine()).toBe('')
    expect(document.body.textContent?.match(/wrong|newest|expired/g)).toEqual(['wrong', 'expired'])
    const again = () => screen.queryByRole('button', { name: 'Send a new code' })
    expect(again()).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    setNow(new Date(testNow.getTime() + 60_000))
    await user.click(screen.getByRole('button', { name: 'Send a new code' }))
    await screen.findByText('We sent another code. Only the newest one works.')
    expect(again()).toBeNull()
    expect(code.value).toBe('')
    expect(document.activeElement).toBe(code)
    expect(site.calls.filter((call) => call === 'POST /auth/send-reset-password-email')).toHaveLength(2)
  })

  it('says once, at its field, that a password is too short or missing', async () => {
    const { user } = await renderSecondStep()
    apiServer.use(
      fake(resetPassword, () =>
        errorResponse(400, 'invalid-password-too-short', 'Minimum 8 characters required'),
      ),
    )
    await user.type(screen.getByLabelText('Code'), '123456')
    await user.type(screen.getByLabelText('New password'), 'short{Enter}')
    expect(await screen.findAllByText('Minimum 8 characters required')).toHaveLength(1)
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('New password')))
    apiServer.use(
      fake(resetPassword, () => errorResponse(400, 'required-field-missing', 'Enter your password.')),
    )
    await user.keyboard('{Enter}')
    expect(await screen.findAllByText('Enter your new password.')).toHaveLength(1)
    expect(screen.getByRole('alert').textContent).toBe('Enter your new password.')
  })

  it('shows another failure below the form', async () => {
    const { user } = await renderSecondStep()
    apiServer.use(
      fake(resetPassword, () =>
        errorResponse(429, 'too-many-requests', 'Too many attempts. Try again in a minute.'),
      ),
    )
    await user.type(screen.getByLabelText('Code'), '123456')
    await user.type(screen.getByLabelText('New password'), 'a new password{Enter}')
    await waitFor(() => expect(statusLine()).toBe('Too many attempts. Try again in a minute.'))
  })

  it('returns to the first step by going back, and keeps the second over a reload', async () => {
    const { router } = await renderSecondStep()
    expect(router.state.location.state).toMatchObject({ codeSentTo: 'ada@example.com' })
    router.history.back()
    await screen.findByRole('heading', { name: 'Forgot password' })
  })
})
