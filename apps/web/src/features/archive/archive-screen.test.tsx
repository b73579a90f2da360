import { screen, within } from '@testing-library/react'
import { listArchive } from '@tidings/contracts/editions'
import { HttpResponse } from 'msw/http'
import { describe, expect, it } from 'vitest'
import { apiServer, fakeSite, wireMemo } from '#testing/api-handlers.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { renderApp } from '#testing/render-app.tsx'

const editions = {
  '07-12-22-10AM': [wireMemo({ title: 'Old' })],
  '11-19-26-8PM': [wireMemo({ title: 'Yesterday' })],
  '11-20-26-10AM': [wireMemo({ title: 'Morning' })],
}

function openArchive(site = fakeSite({ editions })) {
  return renderApp({ path: '/archive', isLoggedIn: true, site })
}

describe('the archive', () => {
  it('opens a filled slot, and shows an empty one without a link', async () => {
    const { user, router } = await openArchive()
    const rows = await screen.findAllByRole('listitem')
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringContaining('November 20'),
      expect.stringContaining('November 19'),
      expect.stringContaining('July 12'),
    ])
    const [today] = rows
    if (today === undefined) throw new Error('The list is empty')
    expect(today.getAttribute('aria-setsize')).toBe('3')
    expect(today.querySelector('[data-label="3PM"]')).toBeTruthy()
    expect(within(today).getAllByRole('link')).toHaveLength(1)
    await user.click(within(today).getByRole('link', { name: '10AM on November 20, 2026' }))
    expect(router.state.location.pathname).toBe('/edition/11-20-26-10AM')
    expect(await screen.findByText('Morning')).toBeTruthy()
  })

  it('names an earlier year above its first date', async () => {
    await openArchive()
    const headings = await screen.findAllByRole('heading', { level: 2 })
    expect(headings.map(({ textContent }) => textContent)).toEqual(['2022'])
  })

  it('leads to the news and to the search', async () => {
    const { user, router } = await openArchive()
    expect(screen.getByRole('link', { name: 'Search' }).getAttribute('href')).toBe('/search')
    await user.click(screen.getByRole('link', { name: 'Exit archive' }))
    expect(router.state.location.pathname).toBe('/home')
  })

  it('says that nothing has been published yet', async () => {
    await openArchive(fakeSite())
    expect(await screen.findByText('Nothing has been published yet.')).toBeTruthy()
  })

  it('says that it failed to load, and tries again', async () => {
    const site = fakeSite({ editions })
    const { user } = await renderApp({ path: '/footer', isLoggedIn: true, site }).then((app) => {
      apiServer.use(
        fake(listArchive, () => errorResponse(500, 'unknown-error', 'An error occurred'), {
          once: true,
        }),
        fake(listArchive, () => errorResponse(500, 'unknown-error', 'An error occurred'), {
          once: true,
        }),
      )
      void app.router.navigate({ to: '/archive' })
      return app
    })
    expect(await screen.findByText('We couldn’t load the archive.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('November 20')).toBeTruthy()
  })

  it('says that the device is offline', async () => {
    const { router } = await renderApp({ path: '/footer', isLoggedIn: true })
    apiServer.use(fake(listArchive, () => HttpResponse.error()))
    void router.navigate({ to: '/archive' })
    expect(await screen.findByText('You’re offline, and the archive isn’t on this device.')).toBeTruthy()
  })
})
