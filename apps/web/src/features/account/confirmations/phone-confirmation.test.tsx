import { screen } from '@testing-library/react'
import { type Phone, sendPhoneCode } from '@tidings/contracts/membership/phone'
import { describe, expect, it } from 'vitest'
import { apiServer } from '#testing/api-handlers.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { renderAccount } from '#testing/render-account.ts'

const number = '+12025550123'
const shown = '(202) 555-0123'
const member = { customFields: { phone: number, getmemomethodbysms: true } }

function renderWith(state: Phone['state'], obstacle: Phone['obstacle'] = null) {
  const phone = { number: state === 'missing' || state === 'invalid' ? null : number, state, obstacle }
  return renderAccount('/account/dashboard', { member, membership: { phone } })
}

describe('texts on the dashboard', () => {
  it('a texted code confirms the number, below the words that the member agrees to', async () => {
    const { user } = await renderWith('unverified')

    expect(await screen.findByText(`To receive texts, confirm that ${shown} is yours.`)).toBeDefined()
    expect(screen.getByText(/you agree to get texts.*Reply STOP/)).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Text me a code' }))
    const code = await screen.findByLabelText<HTMLInputElement>('Code')
    expect([code.autocomplete, code.inputMode]).toEqual(['one-time-code', 'numeric'])
    await user.type(code, '12 34 56')
    await user.click(screen.getByRole('button', { name: 'Confirm' }))

    expect(await screen.findByText(`Your number is confirmed. We text editions to ${shown}.`)).toBeDefined()
    expect(screen.queryByLabelText('Code')).toBeNull()
  })

  it('a wrong code is named at its field', async () => {
    const { user } = await renderWith('unverified')
    await user.click(await screen.findByRole('button', { name: 'Text me a code' }))
    const code = await screen.findByLabelText('Code')
    await user.type(code, '000000')
    await user.click(screen.getByRole('button', { name: 'Confirm' }))

    await screen.findByText('Check the code, or request a new one.')
    expect(document.activeElement).toBe(code)
  })

  it('says why no code was sent', async () => {
    const { user } = await renderWith('unverified')
    const text = 'This number can’t receive texts. Check it, or use another one.'
    apiServer.use(fake(sendPhoneCode, () => errorResponse(400, 'phone-refused', text)))
    await user.click(await screen.findByRole('button', { name: 'Text me a code' }))

    expect(await screen.findByText(text)).toBeDefined()
    expect(screen.queryByLabelText('Code')).toBeNull()
  })

  it.for([
    ['missing', 'To receive texts, add your mobile number above.'],
    ['invalid', 'To receive texts, correct your phone number above.'],
  ] as const)('a number that is %s is asked for', async ([state, text]) => {
    await renderWith(state)
    expect(await screen.findByText(text)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Text me a code' })).toBeNull()
  })

  it.for([
    ['country-not-served', `We don’t text numbers from the country of ${shown}.`],
    ['not-mobile', `${shown} isn’t a mobile number.`],
    ['email-not-verified', 'To receive texts, first confirm your email address above.'],
  ] as const)('a number without a code because of %s is explained', async ([obstacle, text]) => {
    await renderWith('unverified', obstacle)
    expect(await screen.findByText((shown) => shown.startsWith(text))).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Text me a code' })).toBeNull()
  })

  it('a confirmed number from outside of the countries is kept, and a change of it is final', async () => {
    await renderWith('verified', 'country-not-served')
    expect(
      await screen.findByText(
        `We text editions to ${shown}. We no longer confirm numbers from this country, so keep it: a new number must be from one of the countries above.`,
      ),
    ).toBeDefined()
  })

  it('PDFs by text need the code, too', async () => {
    const customFields = { phone: number, getPDFMethodBySMS: true }
    await renderAccount('/account/dashboard', {
      member: { customFields },
      membership: { phone: { number, state: 'unverified', obstacle: null } },
    })
    expect(await screen.findByRole('button', { name: 'Text me a code' })).toBeDefined()
  })

  it('nothing is asked of a member without texts', async () => {
    const customFields = { phone: number, getmemomethodbysms: false }
    await renderAccount('/account/dashboard', {
      member: { customFields },
      membership: { phone: { number, state: 'unverified', obstacle: null } },
    })
    await screen.findByRole('switch', { name: 'Memo by SMS' })
    expect(screen.queryByText(/To receive texts/)).toBeNull()
  })
})
