import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkoutPage, wirePlanConnection } from '#testing/fake-membership.ts'
import { renderAccount } from '#testing/render-account.ts'

const planConnections = [wirePlanConnection('monthly')]

async function renderReturn(query: string, member = {}) {
  const page = await renderAccount(`/account/dashboard?${query}`, {
    member,
    advanceTimers: (ms) => void vi.advanceTimersByTime(ms),
  })
  await screen.findByRole('link', { name: 'View memos' })
  return page
}

describe('the return from a payment', () => {
  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }))
  afterEach(() => void vi.useRealTimers())

  it('waits for the plan, shows it and cleans the address', async () => {
    const { site, router } = await renderReturn('checkout=done')
    expect(screen.getByText(/We’re waiting for your payment to be confirmed/)).toBeDefined()
    // Text that is typed into the dashboard would be lost with the plan's arrival.
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.queryByRole('switch')).toBeNull()
    site.membership.member = { ...site.membership.member, planConnections }
    await vi.advanceTimersByTimeAsync(2500)
    await screen.findByRole('heading', { level: 1, name: 'Your Monthly plan is active' })
    await waitFor(() => expect(router.state.location.search).toEqual({}))
    expect(screen.getByText(/It renews on December 1, 2026/)).toBeDefined()
    expect(screen.getByRole('heading', { level: 1, name: 'Your Monthly plan is active' })).toBeDefined()
  })

  it('gives up after a minute with an explanation, and checks again', async () => {
    const { site, user } = await renderReturn('checkout=done')
    await vi.waitUntil(async () => {
      await vi.advanceTimersByTimeAsync(2000)
      return screen.queryByText(/Your payment hasn’t been confirmed yet/) !== null
    }, 30_000)
    const reads = site.calls.filter((call) => call === 'GET /member').length
    expect(reads).toBeGreaterThanOrEqual(30)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(site.calls.filter((call) => call === 'GET /member')).toHaveLength(reads)
    expect(screen.getByDisplayValue('ada@example.com')).toBeDefined()
    expect(screen.getByText('Your payment is being confirmed.')).toBeDefined()
    expect(screen.queryByText(/You don’t have a plan yet/)).toBeNull()
    expect(screen.queryByRole('link', { name: 'Choose a plan' })).toBeNull()
    site.membership.member = { ...site.membership.member, planConnections }
    await user.click(screen.getByRole('button', { name: 'Check again' }))
    await vi.advanceTimersByTimeAsync(2500)
    await screen.findByRole('heading', { level: 1, name: 'Your Monthly plan is active' })
  })

  it('says after a cancellation that nothing was charged, and continues', async () => {
    const { user, services, site } = await renderReturn('checkout=canceled')
    expect(screen.getByText('You canceled the payment. Nothing was charged.')).toBeDefined()
    const other = screen.getByRole('link', { name: 'Choose another plan' })
    expect(other.getAttribute('href')).toBe('/account/change-plan')
    await user.click(screen.getByRole('button', { name: 'Continue to payment' }))
    await waitFor(() => expect(services.openPage).toHaveBeenCalledWith(checkoutPage))
    expect(site.membership.checkouts[0]?.priceId).toBe('prc_monthly-plan-test')
  })

  it('mentions no cancellation to a member who has paid since', async () => {
    const { router } = await renderReturn('checkout=canceled', { planConnections })
    await waitFor(() => expect(router.state.location.search).toEqual({}))
    expect(screen.queryByText(/Nothing was charged/)).toBeNull()
  })

  it('reads the plan again after the billing portal', async () => {
    const { site, router } = await renderReturn('billing=done', { planConnections })
    const payment = planConnections[0]?.payment
    if (payment == null) throw new Error('The plan has no payment')
    const ending = { ...payment, cancelAtDate: '2026-12-01T18:00:00.000Z', nextBillingDate: null }
    site.membership.member = {
      ...site.membership.member,
      planConnections: [{ ...wirePlanConnection('monthly'), payment: ending }],
    }
    for (let read = 0; read < 4; read += 1) await vi.advanceTimersByTimeAsync(2100)
    await screen.findByText(/Monthly ends on December 1, 2026/)
    await waitFor(() => expect(router.state.location.search).toEqual({}))
  })

  it('reads the plan again when the reader comes back by the browser’s own button', async () => {
    const { site } = await renderReturn('')
    site.membership.member = { ...site.membership.member, planConnections }
    const shown = new Event('pageshow')
    Object.defineProperty(shown, 'persisted', { value: true })
    window.dispatchEvent(shown)
    await screen.findByText('Monthly, $9.00 a month. It renews on December 1, 2026.')
  })
})
