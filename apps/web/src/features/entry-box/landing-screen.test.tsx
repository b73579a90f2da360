import { screen, waitFor } from '@testing-library/react'
import { enterContact } from '@tidings/contracts/gate'
import { messages } from '@tidings/contracts/membership/messages'
import { HttpResponse } from 'msw/http'
import { describe, expect, it } from 'vitest'
import { offlineText } from '#lib/browser/connection.ts'
import { apiServer } from '#testing/api-handlers.ts'
import { setOnline } from '#testing/connection.ts'
import { fake } from '#testing/fake.ts'
import { renderApp } from '#testing/render-app.tsx'

describe('the landing', () => {
  it('says what the box is for', async () => {
    await renderApp({ path: '/auth' })
    await screen.findByText(
      'Leave a phone number or email, and we may write to you about membership. Nothing else.',
    )
  })

  it('accepts an email address, leads to /home and says thanks', async () => {
    const { user, router, site } = await renderApp({ path: '/auth' })
    await user.type(await screen.findByLabelText(messages.entryBox), 'ada@example.com{Enter}')
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
    expect(site.calls).toContain('POST /cms/auth/protect')
    expect(screen.getByText('Thanks. We’ve noted it.')).toBeDefined()
  })

  it('shows why a contact was rejected and stays', async () => {
    const { user, router } = await renderApp({ path: '/auth' })
    await user.type(await screen.findByLabelText(messages.entryBox), 'nonsense{Enter}')
    await screen.findByText('Enter a phone number or an email address.')
    expect(screen.getByRole('button', { name: 'Submit' }).getAttribute('aria-disabled')).toBe('false')
    expect(router.state.location.pathname).toBe('/auth')
  })

  it('rejects an empty contact without a request', async () => {
    const { user, site } = await renderApp({ path: '/auth' })
    await user.click(await screen.findByRole('button', { name: 'Submit' }))
    expect(screen.getByRole('textbox').getAttribute('aria-invalid')).toBe('true')
    expect(site.calls).not.toContain('POST /cms/auth/protect')
  })

  it('says that the device is offline, keeps what was typed and leads back to the memos', async () => {
    const { user, router } = await renderApp({ path: '/auth' })
    await user.type(await screen.findByLabelText(messages.entryBox), 'ada@example.com')
    setOnline(false)
    await screen.findByText(offlineText)
    apiServer.use(fake(enterContact, () => HttpResponse.error()))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.getByText(offlineText).dataset.error).toBe('true'))
    expect(screen.getByRole('textbox')).toHaveProperty('value', 'ada@example.com')
    await user.click(screen.getByRole('link', { name: 'View memos' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
  })

  it.each([
    ['Sign up', '/account/signup'],
    ['Log in', '/account/login'],
    // The account exists only for members.
    ['Account', '/home'],
  ])('links %s to %s', async (name, path) => {
    const { user, router } = await renderApp({ path: '/auth' })
    await user.click(await screen.findByRole('link', { name }))
    await waitFor(() => expect(router.state.location.pathname).toBe(path))
  })
})
