import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { sendEmailVerification } from '@tidings/contracts/membership/auth'
import { updateMember } from '@tidings/contracts/membership/members'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { apiServer } from '#testing/api-handlers.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { wirePlanConnection } from '#testing/fake-membership.ts'
import { holdCall } from '#testing/held-request.ts'
import { inParagraph } from '#testing/in-paragraph.ts'
import { renderAccount } from '#testing/render-account.ts'
import { testNow } from '#testing/test-services.ts'

const planConnections = [wirePlanConnection('monthly')]
const dashboard = '/account/dashboard'
const minuteMs = 60_000
const before = (ms: number) => new Date(testNow.getTime() - ms).toISOString()

/** Renders the return from a payment; sign-up has sent its email so long ago. */
async function renderPaid(member = {}, sentBeforeMs = 3 * minuteMs) {
  const page = await renderAccount(`${dashboard}?checkout=done`, {
    member: { planConnections, createdAt: before(sentBeforeMs), ...member },
    advanceTimers: (ms) => void vi.advanceTimersByTime(ms),
  })
  await screen.findByRole('heading', { level: 1, name: 'Your Monthly plan is active' })
  return page
}

async function renderDashboard(member = {}) {
  const page = await renderAccount(dashboard, {
    member: { planConnections, createdAt: before(3 * minuteMs), ...member },
    advanceTimers: (ms) => void vi.advanceTimersByTime(ms),
  })
  await screen.findByDisplayValue('ada@example.com')
  return page
}

const button = (name: string) => screen.getByRole('button', { name })
const edition = () => screen.queryByRole('link', { name: 'Read today’s edition' })
const current = () => document.querySelector('[aria-current="step"]')?.textContent ?? null
const steps = () => screen.queryByRole('region', { name: 'Your first edition' })
const switchesOn = () =>
  screen
    .getAllByRole<HTMLInputElement>('switch')
    .filter(({ checked }) => checked)
    .map(({ labels }) => labels?.[0]?.textContent)
const code = () => screen.getByLabelText<HTMLInputElement>('Code')

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }))
afterEach(() => void vi.useRealTimers())

describe('the screen after a payment', () => {
  it('leads in two steps to the edition, and moves the focus to each', async () => {
    const { user, site, router } = await renderPaid()
    await waitFor(() => expect(router.state.location.search).toEqual({}))
    expect(screen.getByText(/It renews on December 1, 2026/)).toBeDefined()
    expect(screen.getByText('Two steps to your first edition.')).toBeDefined()
    expect(screen.getByText(inParagraph(/We emailed a code to a…@example\.com/))).toBeDefined()
    expect(current()).toContain('How editions reach you')
    expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Memo by e-mail' }).checked).toBe(true)
    expect(site.membership.member.customFields.getmemomethodbyemail).toBeUndefined()
    expect(document.activeElement?.tagName).not.toBe('INPUT')

    await user.click(button('Submit'))
    await screen.findByText('One step to your first edition.')
    expect(site.membership.member.customFields).toMatchObject({
      getmemomethodbyemail: true,
      combinestatus: false,
    })
    expect(screen.getByRole('heading', { name: 'Done: How editions reach you' })).toBeDefined()
    expect(screen.queryByRole('switch')).toBeNull()
    expect(current()).toContain('Your email address')
    expect(document.activeElement).toBe(code())
    expect(edition()).toBeNull()

    await user.keyboard('123456{Enter}')
    await screen.findByText('You’re all set. The next edition comes to you.')
    expect(site.membership.member.verified).toBe(true)
    expect(edition()?.getAttribute('href')).toBe('/home')
    expect(document.activeElement).toBe(edition())
    expect(current()).toBeNull()
  })

  it('keeps the step with its reason when saving fails, and moves no focus later', async () => {
    const { user, site } = await renderPaid()
    apiServer.use(
      fake(updateMember, () => errorResponse(429, 'too-many-requests', 'Slow down.'), {
        once: true,
      }),
    )
    await user.click(button('Submit'))
    await screen.findByText('Slow down.')
    site.membership.member = { ...site.membership.member, verified: true }
    await vi.advanceTimersByTimeAsync(5000)
    await screen.findByRole('heading', { name: 'Done: Your email address' })
    expect(document.activeElement).toBe(button('Submit'))
  })

  it('leaves the focus of a member who has gone on while a step was saved', async () => {
    const { user } = await renderPaid()
    const saving = holdCall(updateMember)
    await user.click(button('Submit'))
    await saving.arrived
    button('Not now').focus()
    saving.release()
    await screen.findByText('One step to your first edition.')
    expect(document.activeElement).toBe(button('Not now'))
  })

  it('saves no empty choice, and no texts without a number', async () => {
    const { user, site } = await renderPaid({ customFields: { name: 'Ada' } })
    await user.click(screen.getByRole('switch', { name: 'Memo by e-mail' }))
    await user.click(button('Submit'))
    await screen.findByText(/Choose at least one/)
    await user.click(screen.getByRole('switch', { name: 'Memo by SMS' }))
    await user.click(button('Submit'))
    await screen.findByText(/first add your name and phone number/)
    expect(site.calls).not.toContain('POST /member')
  })

  it('keeps other choices until they are saved, over a reload and on the dashboard', async () => {
    const { user, site } = await renderPaid()
    await user.click(screen.getByRole('switch', { name: 'PDF by e-mail' }))
    cleanup()
    const { user: again } = await renderPaid()
    expect(switchesOn()).toEqual(['Memo by e-mail', 'PDF by e-mail'])
    await again.click(button('Not now'))
    await screen.findByText('Not saved yet')
    expect(switchesOn()).toEqual(['Memo by e-mail', 'PDF by e-mail'])
    expect(site.calls).not.toContain('POST /member')
    cleanup()
    const { user: last } = await renderPaid()
    await last.click(button('Submit'))
    await screen.findByText('One step to your first edition.')
    expect(JSON.stringify({ ...window.sessionStorage })).not.toContain('pdf-email')
  })

  it('keeps what is chosen while it saves, for the dashboard', async () => {
    const { user } = await renderPaid()
    const save = holdCall(updateMember)
    await user.click(button('Submit'))
    await save.arrived
    await user.click(screen.getByRole('switch', { name: 'PDF by e-mail' }))
    save.release()
    await screen.findByText('One step to your first edition.')
    await user.click(button('Not now'))
    await screen.findByText('Not saved yet')
    expect(switchesOn()).toEqual(['Memo by e-mail', 'PDF by e-mail'])
  })

  it('shows the edition at once to a member who has done both before', async () => {
    await renderPaid({ verified: true, customFields: { combinestatus: true } })
    expect(screen.getByText('Evening digest')).toBeDefined()
    expect(edition()).not.toBeNull()
    expect(screen.queryByRole('button', { name: 'Not now' })).toBeNull()
  })

  it('leads to the dashboard without the steps when they are put off for this visit', async () => {
    const { user } = await renderPaid()
    await user.click(button('Not now'))
    await screen.findByDisplayValue('ada@example.com')
    expect(steps()).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('main'))
    expect(screen.getByRole('region', { name: 'Confirm your address' })).toBeDefined()
  })
})

describe('the code of the sign-up', () => {
  it('is not offered again while its email may be on its way', async () => {
    await renderPaid({}, minuteMs / 2)
    expect(screen.queryByRole('button', { name: 'Send a new email' })).toBeNull()
    expect(screen.getByText('No email yet? In a minute you can send a new one.')).toBeDefined()
    await act(() => vi.advanceTimersByTimeAsync(minuteMs / 2))
    expect(button('Send a new email')).toBeDefined()
  })

  it('is sent again once, and the field gets the focus', async () => {
    const { user } = await renderPaid()
    await user.click(button('Send a new email'))
    await screen.findByText('We sent another email. Only the newest one works.')
    expect(screen.queryByRole('button', { name: 'Send a new email' })).toBeNull()
    expect(document.activeElement).toBe(code())
    await act(() => vi.advanceTimersByTimeAsync(minuteMs))
    expect(button('Send a new email')).toBeDefined()
  })

  it('sent again, leaves the focus of a member who has gone on meanwhile', async () => {
    const { user } = await renderPaid()
    const sending = holdCall(sendEmailVerification)
    await user.click(button('Send a new email'))
    await sending.arrived
    button('Not now').focus()
    sending.release()
    await screen.findByText('We sent another email. Only the newest one works.')
    expect(document.activeElement).toBe(button('Not now'))
  })

  it('is not claimed to work when it has expired', async () => {
    await renderPaid({}, 11 * minuteMs)
    expect(screen.queryByText(inParagraph(/We emailed a code/))).toBeNull()
    expect(screen.getByText(inParagraph(/send a new one to a…@example\.com/))).toBeDefined()
  })

  it('is needed no more once another device has confirmed the address', async () => {
    const { site } = await renderPaid()
    site.membership.member = { ...site.membership.member, verified: true }
    await vi.advanceTimersByTimeAsync(5000)
    await screen.findByRole('heading', { name: 'Done: Your email address' })
    expect(document.activeElement?.tagName).not.toBe('INPUT')
  })

  it('is mentioned by the dashboard of a new member without a plan, and not offered again', async () => {
    await renderDashboard({ planConnections: [], createdAt: before(minuteMs / 2) })
    expect(steps()).toBeNull()
    expect(screen.getByText(inParagraph(/We sent an email to ada@example\.com/))).toBeDefined()
    expect(screen.queryByRole('button', { name: /email$/ })).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(minuteMs / 2))
    expect(button('Send a new email')).toBeDefined()
  })
})

describe('the steps on the dashboard', () => {
  it('come back until they are done, in place of the note, and lead to the switches', async () => {
    const { user } = await renderDashboard()
    const section = steps()
    if (section === null) throw new Error('No steps')
    expect(screen.queryByRole('region', { name: 'Confirm your address' })).toBeNull()
    expect(within(section).queryByRole('switch')).toBeNull()
    await user.click(within(section).getByRole('button', { name: 'Choose below' }))
    expect(document.activeElement).toBe(screen.getByRole('switch', { name: 'Memo by e-mail' }))
    await user.keyboard(' ')
    await user.click(button('Submit'))
    await within(section).findByRole('heading', { name: 'Done: How editions reach you' })
    await user.type(code(), '123456{Enter}')
    await waitFor(() => expect(edition()).not.toBeNull())
  })

  it('are not shown to a member who has done them, or has no plan', async () => {
    await renderDashboard({ verified: true, customFields: { combinestatus: true } })
    expect(steps()).toBeNull()
  })

  it('stay away for the visit after “Not now”, and come back in the next', async () => {
    const { user, services } = await renderDashboard()
    await user.click(button('Not now'))
    expect(steps()).toBeNull()
    expect(services.sessionStore.get('tidings:steps-later')).not.toBeNull()
  })
})
