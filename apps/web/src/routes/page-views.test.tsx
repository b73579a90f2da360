import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderApp } from '../testing/render-app.tsx'

const question = 'May we count page views?'
const tagged = { tagManagerId: 'GTM-TEST' }

function tagScript() {
  return document.querySelector('script[src*="googletagmanager"]')
}

function pageViews() {
  return (window.dataLayer ?? []).filter((entry) => JSON.stringify(entry).includes('page_view'))
}

describe('counting page views', () => {
  beforeEach(() => {
    // The script element is added to the page, but its code is never fetched.
    const append = document.head.append.bind(document.head)
    vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
      for (const node of nodes) if (node instanceof HTMLScriptElement) node.type = 'text/plain'
      append(...nodes)
    })
  })

  it('asks and loads nothing without a tag manager', async () => {
    await renderApp({ path: '/home' })
    await screen.findByRole('heading', { level: 1 })
    expect(screen.queryByText(question)).toBeNull()
    expect(tagScript()).toBeNull()
  })

  it('loads nothing before the reader agrees', async () => {
    await renderApp({ path: '/home', config: tagged })
    await screen.findByText(question)
    expect(tagScript()).toBeNull()
    expect(window.dataLayer).toBeUndefined()
  })

  it('loads nothing after a No', async () => {
    const { user } = await renderApp({ path: '/home', config: tagged })
    await user.click(await screen.findByRole('button', { name: 'No' }))
    expect(screen.queryByText(question)).toBeNull()
    expect(tagScript()).toBeNull()
    expect(window.localStorage.getItem('tidings:consent')).toBe('refused')
  })

  it('loads the tag manager after a Yes and reports every screen with title, location and path', async () => {
    const { user } = await renderApp({ path: '/home', config: tagged })
    await user.click(await screen.findByRole('button', { name: 'Yes' }))
    expect(tagScript()?.getAttribute('src')).toBe('https://www.googletagmanager.com/gtm.js?id=GTM-TEST')
    await user.click(screen.getByRole('link', { name: '© 2025' }))
    await waitFor(() => expect(pageViews()).toHaveLength(2))
    expect(pageViews()).toMatchObject([
      { event: 'page_view', page_title: 'November 20 · Tidings', page_path: '/home' },
      { event: 'page_view', page_title: 'About and legal · Tidings', page_path: '/footer' },
    ])
    expect(pageViews()[0]).toHaveProperty('page_location', window.location.href)
  })

  it('counts at once for a reader who agreed before', async () => {
    window.localStorage.setItem('tidings:consent', 'given')
    await renderApp({ path: '/home', config: tagged })
    await waitFor(() => expect(pageViews()).toHaveLength(1))
    expect(screen.queryByText(question)).toBeNull()
  })
})
