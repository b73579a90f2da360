import { screen, waitFor } from '@testing-library/react'
import { wireMember } from '@tidings/client/testing/wire-samples'
import { describe, expect, it } from 'vitest'
import { fakeSite } from '#testing/api-handlers.ts'
import { wireArticle } from '#testing/fake-articles.ts'
import { checkoutPage, fakeMembership, wirePaidPlan } from '#testing/fake-membership.ts'
import { renderApp } from '#testing/render-app.tsx'

const articles = [wireArticle({ title: 'The Long Year', plans: ['pln_yearly-test'] })]
const member = wireMember({ customFields: { name: 'Ada', phone: '+12133734253' } })
const changed =
  'The price has changed since you saw it. You weren’t charged. Check the new price and continue.'

/** Renders a screen whose prices change after they were shown. */
async function renderBeforeChange(path: string, shown: RegExp) {
  const membership = fakeMembership({ member })
  const app = await renderApp({ path, isLoggedIn: true, site: fakeSite({ articles, membership }) })
  await screen.findByText(shown)
  membership.plans = [wirePaidPlan('monthly', 10), wirePaidPlan('yearly', 100)]
  return { ...app, membership }
}

describe('a page whose price has changed', () => {
  it.each([
    ['the sign-up', '/account/signup', /\$9\.00 a month/, 'Continue to payment', /\$10\.00 a month/],
    [
      'the change of plan',
      '/account/change-plan',
      /\$9\.00 a month/,
      'Continue to payment',
      /\$10\.00 a month/,
    ],
    [
      'a wall',
      `/viewgated/${articles[0]?._id}`,
      /\$90\.00 a year/,
      'Get the Yearly plan',
      /\$100\.00 a year/,
    ],
  ])('shows the new one and asks again: %s', async (_what, path, before, button, after) => {
    const { user, services, membership } = await renderBeforeChange(path, before)
    await user.click(screen.getByRole('button', { name: button }))
    await screen.findByText(changed)
    await screen.findByText(after)
    expect(membership.checkouts).toEqual([])
    await user.click(screen.getByRole('button', { name: button }))
    await waitFor(() => expect(services.openPage).toHaveBeenCalledWith(checkoutPage))
    expect(membership.checkouts).toHaveLength(1)
  })

  it('shows the plans that are left when its plan is no longer sold', async () => {
    const { user, membership } = await renderBeforeChange('/account/change-plan', /\$9\.00 a month/)
    membership.plans = [wirePaidPlan('yearly', 100)]
    await user.click(screen.getByRole('button', { name: 'Continue to payment' }))
    await screen.findByText(
      'This price is no longer available. You weren’t charged. Choose one of the current plans.',
    )
    await screen.findByText('Not available now')
    expect(document.body.textContent).not.toMatch(/reload/i)
  })
})
