import { screen, waitFor } from '@testing-library/react'
import { wireMember } from '@tidings/client/testing/wire-samples'
import { limits } from '@tidings/contracts/limits'
import { startCheckout } from '@tidings/contracts/membership/billing'
import { updateMember } from '@tidings/contracts/membership/members'
import { HttpResponse } from 'msw/http'
import { describe, expect, it } from 'vitest'
import { apiServer, fakeSite } from '#testing/api-handlers.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { checkoutPage, fakeMembership, wirePaidPlan, wirePlanConnection } from '#testing/fake-membership.ts'
import { type RenderOptions, renderApp } from '#testing/render-app.tsx'

/** Renders the sign-up of a visitor; the account doesn't exist yet, unless given. */
async function renderSignUp(options: Partial<RenderOptions> = {}) {
  const membership = fakeMembership({ hasAccount: false })
  const app = await renderApp({ path: '/account/signup', site: fakeSite({ membership }), ...options })
  const { user } = app
  async function fill({
    email = 'ada@example.com',
    phone = '2133734253',
    password = 'a long password',
  } = {}) {
    await user.type(await screen.findByLabelText('Name'), 'Ada Reader')
    await user.type(screen.getByLabelText('Email'), email)
    await user.type(screen.getByLabelText('Phone number'), phone)
    await user.type(screen.getByLabelText('Password'), password)
  }
  return { ...app, fill, submit: () => user.click(screen.getByRole('button', { name: 'Submit' })) }
}

const longest = limits.customFieldCharacters

const signUps = (calls: string[]) => calls.filter((call) => call === 'POST /auth/signup').length

describe('the sign-up', () => {
  it('cuts nothing that is pasted, and says at its field what is too long', async () => {
    const { user, submit, site, fill } = await renderSignUp()
    await fill()
    for (const [label, text] of [
      ['Name', 'x'],
      ['Email', 'x'],
      ['Phone number', '2'],
    ] as const) {
      const field = screen.getByLabelText<HTMLInputElement>(label)
      await user.clear(field)
      await user.click(field)
      await user.paste(`${text.repeat(longest + 1)}${label === 'Email' ? '@example.com' : ''}`)
      expect(field.value.length).toBeGreaterThan(longest)
    }
    await submit()
    await screen.findByText('Check the marked fields.')
    const name = screen.getByLabelText('Name')
    expect(document.activeElement).toBe(name)
    const errors = [...document.querySelectorAll('.field-error')].map(({ textContent }) => textContent)
    expect(errors).toEqual([
      'Use up to 2,000 characters.',
      'Please enter a valid email address',
      expect.stringMatching(/^This isn’t a full phone number/),
    ])
    await user.type(name, '{Backspace}')
    expect(name.getAttribute('aria-invalid')).toBe('false')
    expect(signUps(site.calls)).toBe(0)
  })

  it('has the fields in their order, which browsers fill in', async () => {
    await renderSignUp()
    await screen.findByLabelText('Name')
    const fields = [...document.querySelectorAll<HTMLInputElement>('form input')]
    expect(fields.map(({ name, autocomplete }) => [name, autocomplete])).toEqual([
      ['name', 'name'],
      ['email', 'email'],
      ['phone', 'tel'],
      ['password', 'new-password'],
    ])
    expect(screen.getByRole('link', { name: 'Go back' }).getAttribute('href')).toBe('/home')
  })

  it('says what the membership costs', async () => {
    await renderSignUp()
    await screen.findByText('$9.00 a month. You pay on the next page, and can cancel at any time.')
  })

  it('says that tax is added', async () => {
    const plan = wirePaidPlan('monthly', 9)
    const prices = plan.prices.map((price) => ({ ...price, taxBehavior: 'exclusive' as const }))
    const membership = fakeMembership({ hasAccount: false, plans: [{ ...plan, prices }] })
    await renderSignUp({ site: fakeSite({ membership }) })
    await screen.findByText('$9.00 a month plus tax. You pay on the next page, and can cancel at any time.')
  })

  it('requires all values', async () => {
    const { site, user, submit } = await renderSignUp()
    await user.type(await screen.findByLabelText('Email'), 'ada@example.com')
    await submit()
    await screen.findByText('Please input all values.')
    expect(screen.getByText('Enter your name.')).toBeDefined()
    expect(screen.getByText('Enter your phone number.')).toBeDefined()
    expect(screen.getByText('Enter your password.')).toBeDefined()
    expect(screen.getByText('At least 8 characters.')).toBeDefined()
    expect(document.activeElement).toBe(screen.getByLabelText('Name'))
    expect(signUps(site.calls)).toBe(0)
  })

  it('requires eight characters for a password', async () => {
    const { site, fill, submit } = await renderSignUp()
    await fill({ password: 'short' })
    await submit()
    await screen.findByText('Check the marked field.')
    expect(screen.getByText('Minimum 8 characters required').id).toBe('signup-password-error')
    expect(screen.queryByText('At least 8 characters.')).toBeNull()
    expect(signUps(site.calls)).toBe(0)
  })

  it('checks all fields at once, and clears each error when its field is right', async () => {
    const { site, user, fill, submit } = await renderSignUp()
    await fill({ email: 'ada@example', phone: '213 373', password: 'short' })
    const wrong = () => [...document.querySelectorAll('.field-error')].map(({ id }) => id)
    // A phone number is checked when the reader leaves it.
    await waitFor(() => expect(wrong()).toEqual(['signup-phone-error']))
    await submit()
    await screen.findByText('Check the marked fields.')
    expect(wrong()).toEqual(['signup-email-error', 'signup-phone-error', 'signup-password-error'])
    expect(document.activeElement).toBe(screen.getByLabelText('Email'))
    await user.type(screen.getByLabelText('Email'), '.com')
    await user.type(screen.getByLabelText('Phone number'), ' 4253')
    await user.type(screen.getByLabelText('Password'), 'er')
    expect(wrong()).toEqual(['signup-password-error'])
    await user.type(screen.getByLabelText('Password'), ' pass')
    expect(wrong()).toEqual([])
    expect(signUps(site.calls)).toBe(0)
  })

  it('refuses a phone number that is incomplete', async () => {
    const { site, fill, submit } = await renderSignUp()
    await fill({ phone: '213 373' })
    await submit()
    await screen.findByText('Check the marked field.')
    const field = screen.getByLabelText('Phone number')
    expect(document.activeElement).toBe(field)
    const [errorId = ''] = field.getAttribute('aria-describedby')?.split(' ') ?? []
    expect(document.getElementById(errorId)?.textContent).toBe(
      'This isn’t a full phone number. For a number of another country, start with + and the country code.',
    )
    expect(signUps(site.calls)).toBe(0)
  })

  it('creates the account, saves name and phone, and opens the payment', async () => {
    const { site, services, fill, submit } = await renderSignUp()
    await fill()
    await submit()
    await waitFor(() => expect(services.openPage).toHaveBeenCalledWith(checkoutPage))
    const own = ['POST /auth/signup', 'POST /member', 'POST /member/plans/create-checkout-session']
    expect(site.calls.filter((call) => own.includes(call))).toEqual(own)
    expect(site.membership.member.customFields).toEqual({ name: 'Ada Reader', phone: '+12133734253' })
    expect(site.membership.checkouts).toEqual([
      {
        priceId: 'prc_monthly-plan-test',
        successUrl: 'http://localhost:3000/#/account/dashboard?checkout=done',
        cancelUrl: 'http://localhost:3000/#/account/signup?checkout=canceled',
      },
    ])
    expect(window.localStorage.getItem('email')).toBe('ada@example.com')
    expect(window.sessionStorage.getItem('tidings:sign-up')).toBeNull()
  })

  it('sends one request for a second click', async () => {
    const { site, services, user, fill } = await renderSignUp()
    await fill()
    await user.dblClick(screen.getByRole('button', { name: 'Submit' }))
    await waitFor(() => expect(services.openPage).toHaveBeenCalledTimes(1))
    expect(signUps(site.calls)).toBe(1)
  })

  it('shows that an address is in use', async () => {
    const { fill, submit } = await renderSignUp({ site: fakeSite() })
    await fill()
    await submit()
    await screen.findByText('This email is already in use. Log in, or use another one.')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Email')))
    // Later it is not taken for an attempt of this sign-up.
    expect(window.sessionStorage.getItem('tidings:sign-up')).toBeNull()
  })

  it('shows why the payment did not start, and continues there', async () => {
    const { site, user, services, fill, submit } = await renderSignUp()
    apiServer.use(
      fake(startCheckout, () => errorResponse(503, 'payments-unavailable', 'Please try again in a minute.'), {
        once: true,
      }),
    )
    await fill()
    await submit()
    await screen.findByText('Please try again in a minute.')
    expect(screen.queryByLabelText('Password')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Continue to payment' }))
    await waitFor(() => expect(services.openPage).toHaveBeenCalledWith(checkoutPage))
    expect(signUps(site.calls)).toBe(1)
  })

  it('saves name and phone later when that fails at first', async () => {
    const { site, user, services, fill, submit } = await renderSignUp()
    apiServer.use(fake(updateMember, () => HttpResponse.error(), { once: true }))
    await fill()
    await submit()
    await screen.findByText('We can’t reach the server. Check your connection and try again.')
    await user.click(await screen.findByRole('button', { name: 'Continue to payment' }))
    await waitFor(() => expect(services.openPage).toHaveBeenCalledWith(checkoutPage))
    expect(site.membership.member.customFields).toEqual({ name: 'Ada Reader', phone: '+12133734253' })
  })

  it('continues after a reload when the account was created but the response was lost', async () => {
    const pending = { name: 'Ada Reader', email: 'ada@example.com', phone: '213 373 4253' }
    window.sessionStorage.setItem('tidings:sign-up', JSON.stringify(pending))
    const { site, user, services, submit } = await renderSignUp({ site: fakeSite() })
    await screen.findByDisplayValue('Ada Reader')
    await user.type(screen.getByLabelText('Password'), 'a long password')
    await submit()
    await waitFor(() => expect(services.openPage).toHaveBeenCalledWith(checkoutPage))
    expect(site.membership.member.customFields).toEqual({ name: 'Ada Reader', phone: '+12133734253' })
  })

  it('does not save the details of another account', async () => {
    const pending = { name: 'Bob', email: 'bob@example.com', phone: '1' }
    window.sessionStorage.setItem('tidings:sign-up', JSON.stringify(pending))
    const { site, user, services } = await renderSignUp({ site: fakeSite(), isLoggedIn: true })
    await user.click(await screen.findByRole('button', { name: 'Continue to payment' }))
    await waitFor(() => expect(services.openPage).toHaveBeenCalledWith(checkoutPage))
    expect(site.membership.member.customFields).toEqual({ name: 'Ada' })
    expect(window.sessionStorage.getItem('tidings:sign-up')).toBeNull()
  })

  it('says that a canceled payment was not charged, and offers it again', async () => {
    await renderSignUp({ path: '/account/signup?checkout=canceled', site: fakeSite(), isLoggedIn: true })
    await screen.findByText(/You canceled the payment\. Nothing was charged/)
    expect(screen.getByRole('button', { name: 'Continue to payment' })).toBeDefined()
    expect(screen.getByRole('link', { name: 'Account' })).toBeDefined()
  })

  it('is ready again when the reader comes back from the payment', async () => {
    const { services, fill, submit } = await renderSignUp()
    await fill()
    await submit()
    await waitFor(() => expect(services.openPage).toHaveBeenCalled())
    const shown = new Event('pageshow')
    Object.defineProperty(shown, 'persisted', { value: true })
    window.dispatchEvent(shown)
    const button = await screen.findByRole('button', { name: 'Continue to payment' })
    expect(button.getAttribute('aria-disabled')).toBe('false')
  })

  it('leads a member who has paid in another tab to the dashboard', async () => {
    const { user, router } = await renderSignUp({ site: fakeSite(), isLoggedIn: true })
    apiServer.use(fake(startCheckout, () => errorResponse(409, 'already-have-plan', 'You have it.')))
    await user.click(await screen.findByRole('button', { name: 'Continue to payment' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/account/dashboard'))
  })

  it('offers no payment to a member whose plan began a moment ago', async () => {
    const { site, router } = await renderSignUp({
      path: '/account/dashboard',
      site: fakeSite(),
      isLoggedIn: true,
    })
    await screen.findByRole('heading', { level: 1 })
    site.membership.member = wireMember({ planConnections: [wirePlanConnection('yearly')] })
    await router.navigate({ to: '/account/signup' })
    await screen.findByText('You have a plan already.')
  })

  it('offers no payment to a member with a plan', async () => {
    const member = wireMember({ planConnections: [wirePlanConnection('yearly')] })
    await renderSignUp({ site: fakeSite({ membership: fakeMembership({ member }) }), isLoggedIn: true })
    await screen.findByText('You have a plan already.')
    expect(screen.queryByRole('button', { name: 'Continue to payment' })).toBeNull()
  })
})
