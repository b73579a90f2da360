import { screen, waitFor, within } from '@testing-library/react'
import type { Phone } from '@tidings/contracts/membership/phone'
import { describe, expect, it } from 'vitest'
import { wirePlanConnection } from '#testing/fake-membership.ts'
import { renderAccount } from '#testing/render-account.ts'

const number = '+12025550123'
const name = 'Your phone number'
const planConnections = [wirePlanConnection('monthly')]
const phoneOf = (change: Partial<Phone> = {}): Phone => ({
  number,
  state: 'unverified',
  obstacle: null,
  ...change,
})

/** Renders the return from a payment. */
async function renderPaid(phone: Phone, customFields = {}, verified = true) {
  const page = await renderAccount('/account/dashboard?checkout=done', {
    member: { planConnections, verified, customFields: { name: 'Ada', phone: number, ...customFields } },
    membership: { phone },
  })
  await screen.findByRole('heading', { level: 1, name: 'Your Monthly plan is active' })
  return page
}

const byText = { getmemomethodbysms: true }
const step = () => screen.queryByRole('heading', { name })
const current = () => document.querySelector('[aria-current="step"]')?.textContent ?? null
const edition = () => screen.queryByRole('link', { name: 'Read today’s edition' })

describe('the step of the number, after a payment', () => {
  it('comes with texts, takes the texted code, and leads to the edition', async () => {
    const { user } = await renderPaid(phoneOf())
    expect(step()).toBeNull()
    await user.click(screen.getByRole('switch', { name: 'Memo by e-mail' }))
    await user.click(screen.getByRole('switch', { name: 'Memo by SMS' }))
    await user.click(screen.getByRole('button', { name: 'Submit' }))

    const ask = await screen.findByRole('button', { name: 'Text me a code' })
    await waitFor(() => expect(document.activeElement).toBe(ask))
    expect(current()).toContain(name)
    expect(screen.getByText(/you agree to get texts.*Reply STOP/)).toBeDefined()
    expect(screen.getByText('One step to your first edition.')).toBeDefined()
    expect(edition()).toBeNull()

    await user.click(ask)
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Code')))
    await user.keyboard('123456{Enter}')
    await screen.findByText('You’re all set. The next edition comes to you.')
    expect(screen.getByRole('heading', { name: `Done: ${name}` })).toBeDefined()
    expect(await screen.findByText('We text editions to (202) 555-0123.')).toBeDefined()
    expect(document.activeElement).toBe(edition())
  })

  it('waits for the address, and comes next once that is confirmed', async () => {
    const { user, site } = await renderPaid(phoneOf({ obstacle: 'email-not-verified' }), byText, false)
    await screen.findByText(/first confirm your email address above/)
    expect(screen.getByText('Two steps to your first edition.')).toBeDefined()
    expect(current()).toContain('Your email address')
    site.membership.phone = phoneOf()
    await user.type(screen.getByLabelText('Code'), '123456{Enter}')
    const ask = await screen.findByRole('button', { name: 'Text me a code' })
    await waitFor(() => expect(document.activeElement).toBe(ask))
    expect(edition()).toBeNull()
  })

  it.each<[string, Partial<Phone>]>([
    ['add your mobile number in your account', { number: null, state: 'missing' }],
    ['correct your phone number in your account', { number: null, state: 'invalid' }],
    ['enter another number in your account', { obstacle: 'country-not-served' }],
    ['enter a mobile number in your account', { obstacle: 'not-mobile' }],
  ])('says “%s”, lets the member continue, and promises no texts', async (text, phone) => {
    await renderPaid(phoneOf(phone), byText)
    await screen.findByText((shown) => shown.includes(text))
    expect(current()).toBeNull()
    expect(edition()).not.toBeNull()
    expect(screen.getByText(/^Last, confirm your number in your account/)).toBeDefined()
  })

  it('is done for a number that was proved before', async () => {
    await renderPaid(phoneOf({ state: 'verified' }), byText)
    const done = await screen.findByRole('heading', { name: `Done: ${name}` })
    const item = done.closest('li')
    if (item === null) throw new Error('No step')
    expect(within(item).queryByRole('button')).toBeNull()
    expect(screen.getByText('You’re all set. The next edition comes to you.')).toBeDefined()
  })

  it('is not asked without texts', async () => {
    await renderPaid(phoneOf(), { combinestatus: true })
    await waitFor(() => expect(edition()).not.toBeNull())
    expect(step()).toBeNull()
  })
})
