import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { loadPhoneLibrary, toStoredPhone } from '#lib/phone/phone-numbers.ts'
import { ServicesProvider } from '#lib/services/services.tsx'
import { testServices } from '#testing/test-services.ts'
import { PhoneField } from './phone-field.tsx'

function renderField(stored = '', region = 'US', smsCountries = ['US']) {
  const services = testServices({ config: { phoneRegion: region, smsCountries } })
  let store: (number: string) => void = () => undefined
  function Fixture() {
    const [phone, setPhone] = useState(stored)
    store = (number) => act(() => setPhone(number))
    return <PhoneField id="phone" label="Phone number" value={phone} onChange={setPhone} />
  }
  render(
    <ServicesProvider value={services}>
      <Fixture />
      <button type="button">Next</button>
    </ServicesProvider>,
  )
  const field = screen.getByLabelText<HTMLInputElement>('Phone number')
  return { user: userEvent.setup(), field, store: (number: string) => store(number) }
}

describe('a phone field', () => {
  it.each([
    ['2133734253', '(213) 373-4253'],
    ['213.373.4253', '(213) 373-4253'],
    ['+1 213 373 4253', '(213) 373-4253'],
    ['+442079460958', '+44 20 7946 0958'],
    ['011 44 20 7946 0958', '+44 20 7946 0958'],
  ])('groups %s as %s when the reader leaves it', async (typed, grouped) => {
    const { user, field } = renderField()
    await user.type(field, typed)
    expect(field.value).toBe(typed)
    await user.tab()
    await screen.findByDisplayValue(grouped)
  })

  it.each([
    ['US', '+12133734253', '(213) 373-4253'],
    ['GB', '+12133734253', '+1 213 373 4253'],
    ['GB', '+442079460958', '020 7946 0958'],
  ])('in %s shows the stored number %s as %s', async (region, stored, grouped) => {
    renderField(stored, region)
    await screen.findByDisplayValue(grouped)
  })

  it.each([
    ['US', '+12133734253', '(213) 373-4253'],
    ['US', '+14165550123', '+1 416 555 0123'],
    ['GB', '+12133734253', '+12133734253'],
    ['US', '+442079460958', '+442079460958'],
  ])(
    'in %s shows the stored number %s as %s before the phone library has loaded',
    (region, stored, shown) => {
      const { field } = renderField(stored, region)
      expect(field.value).toBe(shown)
    },
  )

  it('says that a number is incomplete, as an error until it is right, and keeps it', async () => {
    const { user, field } = renderField()
    await user.type(field, '213 373')
    await user.tab()
    const error = await screen.findByText(/This isn’t a full phone number/)
    expect(error.className).toBe('field-error')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(field.getAttribute('aria-describedby')).toBe(`${error.id} phone-countries`)
    expect(field.value).toBe('213 373')
    await user.type(field, ' 42')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    await user.type(field, '53')
    expect(field.getAttribute('aria-invalid')).toBe('false')
    expect(screen.queryByText(/This isn’t a full phone number/)).toBeNull()
  })

  it('accepts a text that another client has stored until the member changes it', async () => {
    const { user, field } = renderField('ask my office')
    await user.click(field)
    await user.tab()
    await user.type(field, '!')
    await user.tab()
    await screen.findByText(/This isn’t a full phone number/)
    cleanup()
    const again = renderField('ask my office')
    await again.user.click(again.field)
    await again.user.tab()
    await again.user.click(again.field)
    expect(screen.queryByText(/This isn’t a full phone number/)).toBeNull()
  })

  it.each([
    ['US', '415 555 2671', '+14155552671', '(415) 555-2671'],
    ['GB', '+44 20 7946 0958', '+442079460958', '020 7946 0958'],
  ])('in %s stays grouped when it is saved while it has the focus', async (region, typed, saved, grouped) => {
    const { user, field, store } = renderField('', region)
    await user.type(field, typed)
    store(saved)
    await waitFor(() => expect(field.value).toBe(grouped))
    expect(document.activeElement).toBe(field)
    // A number that is typed that way isn't touched.
    await user.clear(field)
    await user.type(field, saved)
    await loadPhoneLibrary()
    expect(field.value).toBe(saved)
  })

  it('says before anything is typed which countries get texts', async () => {
    const { field } = renderField()
    const hint = screen.getByText('Texts go to mobile numbers from: United States.')
    expect(field.getAttribute('aria-describedby')).toBe(hint.id)
    expect(screen.queryByText('All countries')).toBeNull()
  })

  it('has the whole list of many countries', async () => {
    const { user } = renderField('', 'US', ['US', 'CA', 'MX', 'GB', 'IE', 'FR'])
    expect(screen.getByText(/from 6 countries, among them: United States, Canada, and France/)).toBeDefined()
    await user.click(screen.getByText('All countries'))
    expect(screen.getByText(/^Canada, France, Ireland, Mexico/)).toBeDefined()
  })

  it('mentions no texts on a site that sends none', () => {
    const { field } = renderField('', 'US', [])
    expect(screen.queryByText(/Texts go to/)).toBeNull()
    expect(field.getAttribute('aria-describedby')).toBeNull()
  })

  it('takes what browsers fill in', () => {
    const { field } = renderField()
    expect([field.type, field.autocomplete, field.inputMode]).toEqual(['tel', 'tel', 'tel'])
  })
})

describe('the stored phone number', () => {
  it.each([
    ['(213) 373-4253', 'US', '+12133734253'],
    ['020 7946 0958', 'GB', '+442079460958'],
    ['+44 20 7946 0958', 'US', '+442079460958'],
    ['+1-213-373-4253', 'XX', '+12133734253'],
    ['\u202A+1 (213) 373\u20114253\u202C', 'US', '+12133734253'],
    ['２１３ー３７３ー４２５３', 'US', '+12133734253'],
    ['+٤٤ ٢٠ ٧٩٤٦ ٠٩٥٨', 'US', '+442079460958'],
    ['tel:+1-213-373-4253', 'US', '+12133734253'],
    ['\u200b\u00a0', 'US', ''],
    [' ', 'US', ''],
  ])('of %s in %s is %s', async (text, region, stored) => {
    await expect(toStoredPhone(text, region)).resolves.toBe(stored)
  })

  it.each(['213 373', '+1 213 373 4253 4253', 'ask my office'])('is refused for %s', async (text) => {
    await expect(toStoredPhone(text, 'US')).rejects.toThrow('Check your phone number.')
  })
})
