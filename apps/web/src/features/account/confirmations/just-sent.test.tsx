import { act, cleanup, screen } from '@testing-library/react'
import type { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { wirePlanConnection } from '#testing/fake-membership.ts'
import { renderAccount } from '#testing/render-account.ts'
import { testNow } from '#testing/test-services.ts'

type User = ReturnType<typeof userEvent.setup>

const minuteMs = 60_000
const number = '+12025550123'
const dashboard = '/account/dashboard'
const welcome = `${dashboard}?checkout=done`
const planConnections = [wirePlanConnection('monthly')]
const before = (ms: number) => new Date(testNow.getTime() - ms).toISOString()
const press = (name: string) => async (user: User) =>
  await user.click(await screen.findByRole('button', { name }))

async function changeAddress(user: User, action = 'Submit'): Promise<void> {
  const field = await screen.findByLabelText('Email')
  await user.clear(field)
  await user.type(field, 'ada@elsewhere.example')
  await press(action)(user)
  await screen.findByText('Update succeeded')
}

const texts = { verified: true, customFields: { name: 'Ada', phone: number, getmemomethodbysms: true } }
const longAgo = { createdAt: before(60 * minuteMs) }
const byEmail = /^(Send a new email|Send me the email)$/
const byText = /^(Send a new code|Text me a code)$/

type Place = {
  path: string
  member?: object
  /** Sends it; by default, the sign-up has. */
  send?: (user: User) => Promise<void>
  offer: RegExp
}

const places: readonly (readonly [string, Place])[] = [
  ['the sign-up, on the dashboard', { path: dashboard, offer: byEmail }],
  ['the sign-up, after the payment', { path: welcome, offer: byEmail }],
  [
    'the offer of the dashboard',
    { path: dashboard, member: longAgo, send: press('Send me the email'), offer: byEmail },
  ],
  [
    'the offer after the payment',
    { path: welcome, member: longAgo, send: press('Send a new email'), offer: byEmail },
  ],
  [
    'a change of the address',
    {
      path: dashboard,
      member: { ...longAgo, verified: true },
      send: (user) => changeAddress(user),
      offer: byEmail,
    },
  ],
  [
    'a change of an address that wasn’t confirmed',
    { path: dashboard, member: longAgo, send: (user) => changeAddress(user), offer: byEmail },
  ],
  [
    'the offer of a text on the dashboard',
    { path: dashboard, member: texts, send: press('Text me a code'), offer: byText },
  ],
  [
    'the offer of a text after the payment',
    { path: welcome, member: texts, send: press('Text me a code'), offer: byText },
  ],
]

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }))
afterEach(() => void vi.useRealTimers())

describe('what was just sent is not offered again for a minute, also after a reload', () => {
  it.each(places)('sent by %s', async (_name, { path, member, send, offer }) => {
    const phone = { number, state: 'unverified', obstacle: null } as const
    const options = {
      member: { planConnections: path === welcome ? planConnections : [], createdAt: before(0), ...member },
      membership: { phone },
      advanceTimers: (ms: number) => void vi.advanceTimersByTime(ms),
    }
    const { user, site } = await renderAccount(path, options)
    await send?.(user)
    expect(await screen.findByLabelText('Code')).toBeDefined()
    expect(screen.queryByRole('button', { name: offer })).toBeNull()

    cleanup()
    await renderAccount(path, { ...options, member: site.membership.member })
    expect(await screen.findByLabelText('Code')).toBeDefined()
    expect(screen.queryByRole('button', { name: offer })).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(minuteMs))
    expect(screen.getByRole('button', { name: offer }).textContent).toMatch(/^Send a new/)
  })

  it('sent by a change of the address on another screen', async () => {
    const { user } = await renderAccount('/account/change-plan', {
      member: { ...longAgo, planConnections, verified: true, customFields: { name: 'Ada', phone: number } },
      advanceTimers: (ms) => void vi.advanceTimersByTime(ms),
    })
    await changeAddress(user, 'Update')
    await user.click(screen.getByRole('link', { name: 'Go back' }))
    expect(await screen.findByLabelText('Code')).toBeDefined()
    expect(screen.queryByRole('button', { name: byEmail })).toBeNull()
  })

  it('sent once more, the newest text counts', async () => {
    const phone = { number, state: 'unverified', obstacle: null } as const
    const { user, setNow } = await renderAccount(dashboard, {
      member: texts,
      membership: { phone },
      advanceTimers: (ms) => void vi.advanceTimersByTime(ms),
    })
    await press('Text me a code')(user)
    const code = await screen.findByLabelText('Code')
    await act(() => vi.advanceTimersByTimeAsync(minuteMs))
    setNow(new Date(testNow.getTime() + minuteMs))
    await press('Send a new code')(user)
    await screen.findByText('We sent another code. Only the newest one works.')
    expect(screen.queryByRole('button', { name: byText })).toBeNull()
    await vi.waitFor(() => expect(document.activeElement).toBe(code))
  })

  it('another number has no code yet', async () => {
    const { user, site } = await renderAccount(dashboard, {
      member: texts,
      membership: { phone: { number, state: 'unverified', obstacle: null } },
      advanceTimers: (ms) => void vi.advanceTimersByTime(ms),
    })
    await press('Text me a code')(user)
    await screen.findByLabelText('Code')
    site.membership.phone = { ...site.membership.phone, number: '+12025550199' }
    const field = screen.getByLabelText('Phone number')
    await user.clear(field)
    await user.type(field, '202 555 0199')
    await press('Submit')(user)
    await screen.findByText('To receive texts, confirm that (202) 555-0199 is yours.')
    expect(screen.getByRole('button', { name: 'Text me a code' })).toBeDefined()
    expect(screen.queryByLabelText('Code')).toBeNull()
  })
})
