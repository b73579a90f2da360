import { screen, waitFor, within } from '@testing-library/react'
import { sendEmailVerification } from '@tidings/contracts/membership/auth'
import { openBillingPortal } from '@tidings/contracts/membership/billing'
import { endSession, memberExportReply } from '@tidings/contracts/membership/members'
import { HttpResponse } from 'msw/http'
import { describe, expect, it, vi } from 'vitest'
import { apiServer } from '#testing/api-handlers.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { portalPage, wireLogin } from '#testing/fake-account.ts'
import { wirePlanConnection } from '#testing/fake-membership.ts'
import { holdCall } from '#testing/held-request.ts'
import { inParagraph } from '#testing/in-paragraph.ts'
import { renderAccount } from '#testing/render-account.ts'

const path = '/account/dashboard'
const onMonthly = { planConnections: [wirePlanConnection('monthly')], stripeCustomerId: 'cus_1' }

async function renderDashboard(options: Parameters<typeof renderAccount>[1] = {}) {
  const page = await renderAccount(path, options)
  await screen.findByRole('heading', { name: 'Where you’re logged in' })
  return { ...page, press: (name: string) => screen.findByRole('button', { name }).then(page.user.click) }
}

describe('the plan on the dashboard', () => {
  it('says when it renews, and opens the billing portal', async () => {
    const { press, services, account } = await renderDashboard({ member: onMonthly })
    expect(screen.getByText('Monthly, $9.00 a month. It renews on December 1, 2026.')).toBeDefined()
    await press('Billing and invoices')
    await waitFor(() => expect(services.openPage).toHaveBeenCalledWith(portalPage))
    expect(account.portalReturns).toEqual(['http://localhost:3000/#/account/dashboard?billing=done'])
  })

  it('says what to do when a payment failed', async () => {
    const planConnections = [{ ...wirePlanConnection('monthly'), status: 'PAST_DUE' }]
    await renderDashboard({ member: { ...onMonthly, planConnections } })
    expect(screen.getByText(/Update your card to keep your plan/)).toBeDefined()
    expect(screen.getByRole('button', { name: 'Update your card' })).toBeDefined()
  })

  it('is offered to a member without one', async () => {
    await renderDashboard()
    const link = screen.getByRole('link', { name: 'Choose a plan' })
    expect(link.getAttribute('href')).toBe('/account/change-plan')
    expect(screen.queryByRole('button', { name: /Billing/ })).toBeNull()
  })

  it('shows why the portal does not open', async () => {
    const { press, services } = await renderDashboard({ member: onMonthly })
    apiServer.use(fake(openBillingPortal, () => errorResponse(503, 'payments-unavailable', 'Try later.')))
    await press('Billing and invoices')
    await screen.findByText('Try later.')
    expect(services.openPage).not.toHaveBeenCalled()
  })
})

describe('the sessions', () => {
  const named = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      wireLogin({ id: `00000000-0000-4000-8000-00000000010${index}`, current: index === 2 }),
    )

  it('are listed with device and last use, this one first', async () => {
    await renderDashboard()
    const section = screen.getByRole('region', { name: 'Where you’re logged in' })
    await within(section).findByText('Safari on iPhone')
    const rows = within(section).getAllByRole('listitem')
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'Safari on iPhoneThis device',
      'Chrome on WindowsLast used November 18Log out',
    ])
  })

  it('end one by one, and the focus stays in the list', async () => {
    const { press, account } = await renderDashboard()
    await press('Log out Chrome on Windows')
    await screen.findByText('Logged out.')
    expect(screen.queryByText('Chrome on Windows')).toBeNull()
    expect(account.sessions.map(({ current }) => current)).toEqual([true])
    expect(document.activeElement?.textContent).toBe('Where you’re logged in')
    expect(screen.queryByRole('button', { name: 'Log out all other devices' })).toBeNull()
  })

  it('end all at once, but for this one', async () => {
    const { press, account } = await renderDashboard({ account: { sessions: named(7) } })
    const section = screen.getByRole('region', { name: 'Where you’re logged in' })
    expect(await within(section).findAllByRole('listitem')).toHaveLength(4)
    await press('Show all 7')
    expect(within(section).getAllByRole('listitem')).toHaveLength(7)
    await press('Log out all other devices')
    await screen.findByText('Logged out.')
    expect(within(section).getAllByRole('listitem')).toHaveLength(1)
    expect(account.sessions).toHaveLength(1)
  })

  it('that have ended meanwhile leave the list too', async () => {
    const { press } = await renderDashboard()
    apiServer.use(fake(endSession, () => errorResponse(404, 'session-not-found', 'It has ended.')))
    await press('Log out Chrome on Windows')
    await screen.findByText('Logged out.')
    expect(screen.queryByText('Chrome on Windows')).toBeNull()
  })

  it('stay in the list when ending fails, with the reason', async () => {
    const { press } = await renderDashboard()
    await screen.findByText('Chrome on Windows')
    apiServer.use(fake(endSession, () => HttpResponse.error()))
    await press('Log out Chrome on Windows')
    await screen.findByText('We can’t reach the server. Check your connection and try again.')
    expect(screen.getByText('Chrome on Windows')).toBeDefined()
  })
})

describe('a member’s data', () => {
  it('is downloaded as a JSON file', async () => {
    const files: { name: string; blob: Blob }[] = []
    let saved: Blob | null = null
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      if (blob instanceof Blob) saved = blob
      return 'blob:saved'
    })
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      if (saved !== null) files.push({ name: this.download, blob: saved })
    })
    const { press } = await renderDashboard()
    await press('Download your data')
    await screen.findByText('Your data was downloaded.')
    expect(files.map(({ name }) => name)).toEqual(['tidings-2026-11-20.json'])
    const data = JSON.parse((await files[0]?.blob.text()) ?? '')
    expect(memberExportReply.parse({ data }).data.member.auth.email).toBe('ada@example.com')
  })

  it('is deleted with the account once the member has typed the address', async () => {
    window.localStorage.setItem('email', 'ada@example.com')
    const { user, press, router, account } = await renderDashboard({
      member: { ...onMonthly, stripeCustomerId: null },
    })
    await press('Delete account')
    const panel = screen.getByRole('region', { name: 'Delete your account?' })
    expect(document.activeElement?.textContent).toBe('Delete your account?')
    expect(within(panel).getByText(/Your Monthly plan ends at once/)).toBeDefined()
    const confirm = within(panel).getByRole('button', { name: 'Delete account' })
    await user.click(confirm)
    expect(screen.getAllByText('Enter ada@example.com to confirm.')).toHaveLength(2)
    expect(account.isDeleted).toBe(false)
    const field = within(panel).getByLabelText('To confirm, enter ada@example.com')
    expect([field.getAttribute('aria-invalid'), document.activeElement]).toEqual(['true', field])
    await user.type(field, 'Ada@example.com ')
    expect(field.getAttribute('aria-invalid')).toBe('false')
    await user.click(confirm)
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
    expect(account.isDeleted).toBe(true)
    expect(screen.getByText('Your account was deleted.')).toBeDefined()
    expect(window.localStorage.getItem('email')).toBeNull()
    expect(window.localStorage.getItem('_ms-mid')).toBeNull()
  })

  it.each([
    ['delete', /Your details and cards at our payment service are deleted once nothing is open/],
    ['keep', /Your name, email, addresses and cards at our payment service are removed once nothing is open/],
  ] as const)('says what happens at the payment service with %s', async (customerOnDeletion, words) => {
    const member = { ...onMonthly, stripeCustomerId: 'cus_ada' }
    const { user, press } = await renderDashboard({ member, config: { customerOnDeletion } })
    await press('Delete account')
    const panel = screen.getByRole('region', { name: 'Delete your account?' })
    expect(within(panel).getByText(words)).toBeDefined()
    await user.type(within(panel).getByLabelText('To confirm, enter ada@example.com'), 'ada@example.com')
    await user.click(within(panel).getByRole('button', { name: 'Delete account' }))
    expect(await screen.findByText(/We’re closing your account, which can take a few minutes/)).toBeDefined()
  })

  it('stays when the member keeps the account', async () => {
    const { press, account } = await renderDashboard()
    await press('Delete account')
    await press('Keep my account')
    expect(screen.queryByText('Delete your account?')).toBeNull()
    expect(account.isDeleted).toBe(false)
  })
})

describe('an unconfirmed address', () => {
  it('gets the email that confirms it', async () => {
    const { press } = await renderDashboard()
    await press('Send me the email')
    await screen.findByText(inParagraph(/We sent an email to ada@example.com/))
  })

  it('gets it without taking the focus of a member who has gone on meanwhile', async () => {
    const { press, user } = await renderDashboard()
    const sending = holdCall(sendEmailVerification)
    await press('Send me the email')
    await sending.arrived
    const field = screen.getByLabelText('Email')
    await user.click(field)
    sending.release()
    await screen.findByText(inParagraph(/We sent an email to ada@example.com/))
    expect(document.activeElement).toBe(field)
  })

  it('is confirmed by the code of the email', async () => {
    const { press, user, site } = await renderDashboard()
    await press('Send me the email')
    const code = await screen.findByLabelText<HTMLInputElement>('Code')
    expect([code.autocomplete, code.inputMode]).toEqual(['one-time-code', 'numeric'])
    await user.type(code, '000000{Enter}')
    await screen.findByText('This code is wrong or expired. Request a new one.')
    expect(document.activeElement).toBe(code)
    expect(screen.queryByRole('button', { name: 'Send a new email' })).toBeNull()
    await user.clear(code)
    await user.type(code, '12 34 56{Enter}')
    await screen.findByText(
      inParagraph(/^Your address is confirmed\. We can email editions to ada@example\.com\.$/),
    )
    expect(site.membership.member.verified).toBe(true)
    expect(screen.queryByLabelText('Code')).toBeNull()
  })

  it('is confirmed by the code of the sign-up, without another email', async () => {
    const { press, user, site } = await renderDashboard()
    await press('Enter a code')
    const code = await screen.findByLabelText('Code')
    expect(document.activeElement).toBe(code)
    await user.keyboard('123456{Enter}')
    await screen.findByText(
      inParagraph(/^Your address is confirmed\. We can email editions to ada@example\.com\.$/),
    )
    expect(site.membership.member.verified).toBe(true)
  })

  it('is not mentioned once it is confirmed', async () => {
    await renderDashboard({ member: { verified: true } })
    expect(screen.queryByText(/confirm your address/)).toBeNull()
  })
})
