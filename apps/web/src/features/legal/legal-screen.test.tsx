import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderApp } from '#testing/render-app.tsx'

const legal = {
  company: 'Quiet Press LLC',
  editorInChief: 'Ada Lindqvist',
  contactEmail: 'desk@quiet.example',
  address: '1 Main Street',
  artworkCredit: 'the scholars of the drawing room',
}

describe('the legal page', () => {
  it('shows the configured company, editor, artwork credit and contact', async () => {
    await renderApp({ path: '/footer', config: { siteName: 'Quiet', legal } })
    await screen.findByText('© 2025 Quiet Press LLC. All rights reserved.')
    expect(screen.getByText('Ada Lindqvist')).toBeDefined()
    expect(screen.getByText(/the scholars of the drawing room/)).toBeDefined()
    expect(screen.getAllByRole('link', { name: 'desk@quiet.example' })[0]?.getAttribute('href')).toBe(
      'mailto:desk@quiet.example',
    )
  })

  it.each([
    'Terms and Conditions',
    'Terms of Use',
    'Privacy Policy',
    'For consumers in California',
    'Data protection in the European Union',
  ])('links to the section %s', async (title) => {
    const { user } = await renderApp({ path: '/footer' })
    await user.click(await screen.findByRole('button', { name: title }))
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: title }))
  })

  it.each([
    ['one year of warranty', /at least one year from the date of purchase/],
    ['liability up to the price or twelve months', /amounts you paid us in the twelve months before/],
    ['liability for use', /greater of the fees you paid for six months of it and US\$100/],
    ['a year for claims', /within one year after it arose/],
    ['30 days before mediation', /within 30 days of that email/],
    ['children under 14', /Children under 14 should use the site only together with a parent or guardian/],
    ['a month for requests', /answer within one month/],
    ['the date of the privacy policy', /Last updated 1 January 2025/],
    ['carriage paid', /shipped carriage paid to the destination/],
    ['wrong prices', /refuse or cancel orders placed at that price/],
    ['email and password for an account', /To register you need an email address and a password/],
    ['courts in Los Angeles', /courts in Los Angeles, California/],
    ['courts in San Diego', /courts in San Diego, California/],
  ])('states %s', async (_name, words) => {
    await renderApp({ path: '/footer' })
    expect((await screen.findAllByText(words)).length).toBeGreaterThan(0)
  })

  it.each([
    ['delete', /Then your details and cards at our payment service are deleted/],
    ['keep', /Then we remove your name, email, phone, addresses and cards at our payment service/],
  ] as const)('says what becomes of payment details with %s', async (customerOnDeletion, words) => {
    await renderApp({ path: '/footer', config: { customerOnDeletion } })
    expect(await screen.findByText(words)).toBeDefined()
  })

  it('links back to the home screen', async () => {
    const { user, router } = await renderApp({ path: '/footer' })
    await user.click(await screen.findByRole('link', { name: 'Back to Home' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
  })
})
