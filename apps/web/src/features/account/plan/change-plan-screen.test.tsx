import { screen, waitFor, within } from '@testing-library/react'
import { wirePlanChange } from '@tidings/client/testing/wire-samples'
import { changePlan, previewPlanChange } from '@tidings/contracts/membership/billing'
import { updateMember } from '@tidings/contracts/membership/members'
import { HttpResponse } from 'msw/http'
import { describe, expect, it } from 'vitest'
import { apiServer } from '#testing/api-handlers.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { fakeAccount, portalPage } from '#testing/fake-account.ts'
import { checkoutPage, wirePlanConnection } from '#testing/fake-membership.ts'
import { holdCall } from '#testing/held-request.ts'
import { renderAccount } from '#testing/render-account.ts'

const path = '/account/change-plan'
const customFields = { name: 'Ada', phone: '+12133734253' }
const onMonthly = {
  customFields,
  planConnections: [wirePlanConnection('monthly')],
  stripeCustomerId: 'cus_1',
}

type Options = NonNullable<Parameters<typeof renderAccount>[1]>

async function renderScreen(options: Options = { member: onMonthly }, at = path) {
  const page = await renderAccount(at, options)
  await screen.findByDisplayValue('ada@example.com')
  const { user } = page
  return {
    ...page,
    update: () => user.click(screen.getByRole('button', { name: 'Update' })),
    async choose(name: RegExp) {
      await user.click(screen.getByRole('radio', { name }))
    },
  }
}

/** Chooses the yearly plan and opens its terms. */
async function proposeYearly(options?: Options) {
  const page = await renderScreen(options)
  await screen.findByText('$90.00 a year')
  await page.choose(/Yearly/)
  await page.update()
  await screen.findByRole('heading', { name: 'Confirm the change' })
  return page
}

const payButton = () => screen.getByRole('button', { name: 'Pay $85.50 and change plan' })

describe('the plan screen', () => {
  it('shows the details, what each plan costs and which one the member has', async () => {
    await renderScreen()
    await screen.findByDisplayValue('(213) 373-4253')
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ada')
    await screen.findByText('$90.00 a year')
    const plans = screen.getByRole('group', { name: 'Plan' })
    const radios = within(plans).getAllByRole<HTMLInputElement>('radio')
    expect(radios.map(({ checked, labels }) => [labels?.[0]?.textContent, checked])).toEqual([
      ['MonthlyYour plan$9.00 a month', true],
      ['Yearly$90.00 a year', false],
    ])
    expect(screen.getByRole('link', { name: 'Go back' }).getAttribute('href')).toBe('/account/dashboard')
  })

  it('refuses a phone number that is incomplete before the member is asked to pay', async () => {
    const { user, choose, update } = await renderScreen()
    await screen.findByText('$90.00 a year')
    await user.clear(screen.getByLabelText('Phone number'))
    await user.type(screen.getByLabelText('Phone number'), '213 373')
    await choose(/Yearly/)
    await update()
    await screen.findByText('Check the marked field.')
    expect(screen.queryByRole('heading', { name: 'Confirm the change' })).toBeNull()
  })

  it.each(['name', 'phone'])('requires the %s', async (missing) => {
    const { update, site } = await renderScreen({
      member: { ...onMonthly, customFields: { ...customFields, [missing]: ' ' } },
    })
    await update()
    await screen.findByText('Please check items to update')
    const label = missing === 'name' ? 'Name' : 'Phone number'
    expect(document.activeElement).toBe(screen.getByLabelText(label))
    expect(site.calls).not.toContain('POST /member')
  })

  it('saves changed details, and the address only if it differs', async () => {
    const { user, update, site } = await renderScreen()
    await user.type(screen.getByLabelText('Name'), ' Reader')
    await update()
    await screen.findByText('Update succeeded')
    expect(site.membership.member.customFields).toMatchObject({ name: 'Ada Reader', phone: '+12133734253' })
    expect(site.calls).not.toContain('POST /member-auth')
    expect(site.calls).not.toContain('POST /member/plans/change/preview')
    await user.clear(screen.getByLabelText('Email'))
    await user.type(screen.getByLabelText('Email'), 'ada@new.example')
    await update()
    await waitFor(() => expect(site.membership.member.auth.email).toBe('ada@new.example'))
  })

  it('keeps what is typed while it saves', async () => {
    const { user, update, site } = await renderScreen()
    const name = screen.getByLabelText<HTMLInputElement>('Name')
    await user.type(name, ' B')
    const save = holdCall(updateMember)
    await update()
    await save.arrived
    await user.type(name, 'C')
    save.release()
    await screen.findByText('Update succeeded')
    expect(site.membership.member.customFields.name).toBe('Ada B')
    expect(name.value).toBe('Ada BC')
  })

  it('shows what a change charges, and charges nothing before the member confirms', async () => {
    const { account, site } = await proposeYearly()
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Confirm the change' }))
    expect(screen.getByText(/Yearly starts today instead of Monthly/)).toBeDefined()
    const amounts = screen.getAllByRole('definition').map(({ textContent }) => textContent)
    expect(amounts).toEqual(['$85.50', '$90.00 a year'])
    expect(account.planChanges).toEqual([])
    expect(site.calls).not.toContain('POST /member')
  })

  it('changes the plan for the amount that was shown, after saving the details', async () => {
    const { user, account, site } = await renderScreen()
    await screen.findByText('$90.00 a year')
    await user.type(screen.getByLabelText('Name'), ' Reader')
    await user.click(screen.getByRole('radio', { name: /Yearly/ }))
    await user.click(screen.getByRole('button', { name: 'Update' }))
    await user.dblClick(await screen.findByRole('button', { name: 'Pay $85.50 and change plan' }))
    await screen.findByText(/Yearly has started. You paid \$85.50 today/)
    const { amountDue, currency, proratedAt, renewalAmount } = wirePlanChange
    const priceId = 'prc_yearly-plan-test'
    expect(account.planChanges).toEqual([{ priceId, amountDue, currency, proratedAt, renewalAmount }])
    expect(site.membership.member.customFields).toMatchObject({ name: 'Ada Reader' })
    expect(screen.queryByRole('heading', { name: 'Confirm the change' })).toBeNull()
  })

  it('says what was paid to a member who has gone on, and leaves them there', async () => {
    const { user, router } = await proposeYearly()
    const held = holdCall(changePlan)
    await user.click(payButton())
    await held.arrived
    await user.click(screen.getByRole('link', { name: 'Go back' }))
    await screen.findByRole('heading', { name: 'Subscription options' })
    held.release()
    await screen.findByText(/Yearly has started. You paid \$85.50 today/)
    expect(router.state.location.pathname).toBe('/account/dashboard')
  })

  it('can be canceled, and nothing changes', async () => {
    const { user, account } = await proposeYearly()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await screen.findByRole('button', { name: 'Update' })
    expect(account.planChanges).toEqual([])
  })

  it('shows the new terms when the price has changed, and asks again', async () => {
    const { user, account } = await proposeYearly()
    const terms = { ...account.terms, amountDue: 95, renewalAmount: 100, regularAmount: 100 }
    const error = { code: 'price-changed', message: 'The price has changed since you saw it.', terms }
    apiServer.use(
      fake(changePlan, () => HttpResponse.json({ error }, { status: 409 }), {
        once: true,
      }),
    )
    await user.click(payButton())
    await screen.findByRole('heading', { name: 'The price has changed' })
    expect(screen.getByText(/Nothing was charged, and your plan is the same/)).toBeDefined()
    expect(account.planChanges).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Pay $95.00 and change plan' }))
    await screen.findByText(/Yearly has started/)
    expect(account.planChanges).toMatchObject([{ amountDue: 95, renewalAmount: 100 }])
  })

  it('offers to update a declined card', async () => {
    const { user, services } = await proposeYearly()
    apiServer.use(fake(changePlan, () => errorResponse(402, 'card-declined', 'Your card was declined.')))
    await user.click(payButton())
    await screen.findByText('Your card was declined.')
    await user.click(screen.getByRole('button', { name: 'Update your card' }))
    await waitFor(() => expect(services.openPage).toHaveBeenCalledWith(portalPage))
  })

  it('drops a planned change', async () => {
    const yearly = wirePlanConnection('yearly', 90)
    const renewal = wirePlanConnection('monthly').payment?.renewal
    const payment = yearly.payment && { ...yearly.payment, nextPriceId: 'prc_monthly-plan-test', renewal }
    const { from, to } = fakeAccount().terms
    const { user, account } = await renderScreen({
      member: { ...onMonthly, planConnections: [{ ...yearly, payment }] },
      account: { terms: { ...wirePlanChange, from: to, to, amountDue: 0 } },
    })
    expect(from.planName).toBe('Monthly')
    expect(
      screen.getByText('You keep Yearly until December 1, 2026. Then Monthly starts for $9.00 a month.'),
    ).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Keep Yearly' }))
    await screen.findByText('You stay on Yearly. The planned change is dropped.')
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(account.planChanges).toHaveLength(1))
  })

  it('leads a member whose payment failed to the card', async () => {
    const planConnections = [{ ...wirePlanConnection('monthly'), status: 'PAST_DUE' }]
    await renderScreen({ member: { ...onMonthly, planConnections } })
    expect(screen.getByText(/Your last payment for Monthly didn’t go through/)).toBeDefined()
    expect(screen.getByRole('button', { name: 'Update your card' })).toBeDefined()
  })

  it('leads a member who canceled to the page that resumes the plan, before any change', async () => {
    const monthly = wirePlanConnection('monthly')
    const payment = monthly.payment && {
      ...monthly.payment,
      nextBillingDate: null,
      cancelAtDate: '2026-12-01T17:00:00.000Z',
    }
    const member = { ...onMonthly, planConnections: [{ ...monthly, payment }] }
    const { user, services } = await renderScreen({ member })
    await user.click(screen.getByRole('button', { name: 'Resume your plan' }))
    await waitFor(() => expect(services.openPage).toHaveBeenCalledWith(portalPage))
  })

  it('starts with the plan that a checkout asked for', async () => {
    await renderScreen(undefined, `${path}?priceId=prc_yearly-plan-test`)
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /Yearly/ }).checked).toBe(true)
  })

  it('leads a member without a plan to the payment of the chosen one', async () => {
    const { user, services, site } = await renderScreen(
      { member: { customFields } },
      `${path}?checkout=canceled`,
    )
    expect(screen.getByText('You canceled the payment. Nothing was charged.')).toBeDefined()
    await screen.findByText('$90.00 a year')
    await user.click(screen.getByRole('radio', { name: /Yearly/ }))
    await user.click(screen.getByRole('button', { name: 'Continue to payment' }))
    await waitFor(() => expect(services.openPage).toHaveBeenCalledWith(checkoutPage))
    expect(site.membership.checkouts).toEqual([
      {
        priceId: 'prc_yearly-plan-test',
        successUrl: 'http://localhost:3000/#/account/dashboard?checkout=done',
        cancelUrl: 'http://localhost:3000/#/account/change-plan?checkout=canceled',
      },
    ])
  })

  it('shows why the terms are not available', async () => {
    const { choose, update } = await renderScreen()
    await screen.findByText('$90.00 a year')
    apiServer.use(
      fake(previewPlanChange, () =>
        errorResponse(503, 'payments-unavailable', "Our payment service isn't responding."),
      ),
    )
    await choose(/Yearly/)
    await update()
    await screen.findByText("Our payment service isn't responding.")
  })
})
