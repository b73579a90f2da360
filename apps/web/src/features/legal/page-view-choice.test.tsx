import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderApp } from '#testing/render-app.tsx'

const legalPage = { path: '/footer', config: { tagManagerId: 'GTM-TEST' } }

function storeConsent(consent: string) {
  window.localStorage.setItem('tidings:consent', consent)
}

function storeCookies(page: Document, cookies: readonly string[]) {
  for (const cookie of cookies) page.cookie = `${cookie}; path=/`
}

/** Lets the page believe that the tag manager runs, so that its code is never fetched. */
function pretendTagManager() {
  const script = document.createElement('script')
  script.id = 'tag-manager'
  script.type = 'text/plain'
  document.head.append(script)
}

describe('consent on the legal page', () => {
  it('can be withdrawn, which removes the cookies and reloads the page without the tag manager', async () => {
    storeConsent('given')
    pretendTagManager()
    storeCookies(document, ['_ga_TEST=1', 'other=1'])
    const { user, services } = await renderApp(legalPage)
    await user.click(await screen.findByRole('button', { name: 'Stop counting' }))
    expect(window.localStorage.getItem('tidings:consent')).toBe('refused')
    expect(document.cookie).toBe('other=1')
    expect(services.reloadPage).toHaveBeenCalledOnce()
    expect(screen.getByText(/aren’t counted/)).toBeDefined()
  })

  it('can be given after a No', async () => {
    storeConsent('refused')
    pretendTagManager()
    const { user } = await renderApp(legalPage)
    await user.click(await screen.findByRole('button', { name: 'Count them' }))
    expect(window.localStorage.getItem('tidings:consent')).toBe('given')
    expect(screen.getByRole('button', { name: 'Stop counting' })).toBeDefined()
  })

  it('has no choice before the question is answered, or without a tag manager', async () => {
    await renderApp(legalPage)
    await screen.findByText('May we count page views?')
    expect(screen.queryByRole('button', { name: /count/i })).toBeNull()
  })
})
