import { screen, waitFor } from '@testing-library/react'
import type { SiteStart } from '@tidings/contracts/site/site-start'
import { describe, expect, it } from 'vitest'
import { fakeSite, wireMemo } from '#testing/api-handlers.ts'
import { renderApp } from '#testing/render-app.tsx'

const start: SiteStart = {
  gate: { on: true, passed: true },
  editions: {
    timeLists: [
      { date: '11-19-26', timeStamp: ['8PM'] },
      { date: '11-20-26', timeStamp: ['10AM'] },
      { date: '11-21-26', timeStamp: [] },
    ],
    newest: '11-20-26-10AM',
  },
}
const editions = {
  '11-19-26-8PM': [wireMemo({ title: 'Wednesday ends' })],
  '11-20-26-10AM': [wireMemo({ title: 'Harbour opens' })],
}

describe('the lists in the page’s shell', () => {
  it('leave only the memos to be requested, while the gate is confirmed', async () => {
    const { site } = await renderApp({ path: '/home', start, site: fakeSite({ editions }) })
    await screen.findByRole('button', { name: 'Harbour opens' })
    expect(site.calls.toSorted()).toEqual(['GET /edition/prod/11-20-26-10AM', 'GET /gate'])
  })

  it('are read by the reader’s own date', async () => {
    const now = new Date(2026, 10, 19, 22, 0)
    const { site } = await renderApp({ path: '/home', start, now, site: fakeSite({ editions }) })
    await screen.findByRole('button', { name: 'Wednesday ends' })
    expect(site.calls).not.toContain('GET /edition/prod/get_time_list/11-19-26')
  })

  it('do not keep the page open once the server says that the gate is closed', async () => {
    const site = fakeSite({ editions, gate: { on: true, passed: false, password: 'tidings' } })
    const { router } = await renderApp({ path: '/home', start, site })
    await waitFor(() => expect(router.state.location.pathname).toBe('/protect'))
  })

  it('lead a visitor to the password at once, without a request', async () => {
    const site = fakeSite({ gate: { on: true, passed: false, password: 'tidings' } })
    const closed = { gate: { on: true, passed: false } }
    const { router } = await renderApp({ path: '/home', start: closed, site })
    await screen.findByLabelText('Password')
    expect(router.state.location.pathname).toBe('/protect')
    expect(site.calls).toEqual([])
  })
})
