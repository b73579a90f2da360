import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { renderAccount } from '#testing/render-account.ts'

const path = '/changepassword'
const social = { auth: { email: 'ada@example.com', hasPassword: false, providers: [{ provider: 'GOOGLE' }] } }

async function renderScreen(
  ...options: Parameters<typeof renderAccount> extends [string, ...infer Rest] ? Rest : never
) {
  const page = await renderAccount(path, ...options)
  await screen.findByLabelText('New password')
  return { ...page, submit: () => page.user.click(screen.getByRole('button', { name: 'Submit' })) }
}

describe('the password screen', () => {
  it('changes the password, says so for five seconds and empties the fields', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { user, site, submit } = await renderScreen()
    await user.type(screen.getByLabelText('Old password'), 'a long password')
    await user.type(screen.getByLabelText('New password'), 'another password')
    await submit()
    await screen.findByText('Successfully updated')
    expect(site.membership.password).toBe('another password')
    expect(screen.getByLabelText<HTMLInputElement>('Old password').value).toBe('')
    expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('')
    await vi.advanceTimersByTimeAsync(5000)
    await waitFor(() => expect(screen.queryByText('Successfully updated')).toBeNull())
  })

  it.each([
    ['', ''],
    ['a long password', ''],
    ['', 'another password'],
  ])('does nothing with the old password %j and the new one %j', async (oldPassword, newPassword) => {
    const { user, site, submit } = await renderScreen()
    if (oldPassword !== '') await user.type(screen.getByLabelText('Old password'), oldPassword)
    if (newPassword !== '') await user.type(screen.getByLabelText('New password'), newPassword)
    await submit()
    expect(site.calls).not.toContain('POST /member-auth')
    expect(screen.queryByText('Please wait...')).toBeNull()
  })

  it.each([
    [
      'not my password',
      'another password',
      'Your password is incorrect. Check it and try again.',
      'Old password',
    ],
    ['a long password', 'short', 'Minimum 8 characters required', 'New password'],
  ])('shows why %j to %j is refused, at its field', async (oldPassword, newPassword, message, label) => {
    const { user, submit } = await renderScreen()
    await user.type(screen.getByLabelText('Old password'), oldPassword)
    await user.type(screen.getByLabelText('New password'), newPassword)
    await submit()
    expect((await screen.findAllByText(message)).length).toBeGreaterThan(0)
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(label)))
    expect(screen.getByLabelText<HTMLInputElement>('Old password').value).toBe(oldPassword)
  })

  it('sets the first password of a member without one, who then has an old one', async () => {
    const { user, site, submit } = await renderScreen({ member: social })
    expect(screen.queryByLabelText('Old password')).toBeNull()
    expect(screen.getByText(/Your account has no password yet/)).toBeDefined()
    await user.type(screen.getByLabelText('New password'), 'a first password')
    await submit()
    await screen.findByText('Successfully updated')
    expect(site.membership.password).toBe('a first password')
    expect(screen.getByLabelText('Old password')).toBeDefined()
  })

  it('has fields for password managers, and a way back', async () => {
    await renderScreen()
    expect(screen.getByLabelText<HTMLInputElement>('Old password').autocomplete).toBe('current-password')
    expect(screen.getByLabelText<HTMLInputElement>('New password').autocomplete).toBe('new-password')
    const back = screen.getByRole('link', { name: 'Go back' })
    expect(back.getAttribute('href')).toBe('/account/dashboard')
  })
})
