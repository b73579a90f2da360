import { act, screen, waitFor } from '@testing-library/react'
import { getTimeList, listMemos } from '@tidings/contracts/editions'
import { describe, expect, it } from 'vitest'
import { apiServer, fakeSite, serve, wireMemo } from '#testing/api-handlers.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { slots as slotTimes } from '#testing/moments.ts'
import { renderApp } from '#testing/render-app.tsx'

function twoEditions() {
  return fakeSite({
    editions: {
      '11-18-26-8PM': [wireMemo({ title: 'Wednesday ends' })],
      '11-20-26-10AM': [wireMemo({ title: 'Harbour opens' })],
      '11-20-26-3PM': [wireMemo({ title: 'Bronzes go home' })],
    },
  })
}

describe('/home', () => {
  it('shows the newest edition of the reader’s day, underlined but not chosen', async () => {
    await renderApp({ path: '/home', site: twoEditions() })
    await screen.findByRole('button', { name: 'Bronzes go home' })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('November 20')
    expect(screen.getByRole('link', { name: '3PM' }).getAttribute('aria-current')).toBe('true')
    expect(screen.getByRole('link', { name: '10AM' }).getAttribute('aria-current')).toBeNull()
  })

  it('grays out a slot that is not published', async () => {
    await renderApp({ path: '/home', site: twoEditions() })
    await screen.findByRole('button', { name: 'Bronzes go home' })
    expect(screen.getByRole('link', { name: '8PM' }).getAttribute('aria-disabled')).toBe('true')
  })

  it('keeps what is read after midnight, until the reader taps the date', async () => {
    const { setNow, user, site } = await renderApp({ path: '/home', site: twoEditions() })
    await screen.findByRole('button', { name: 'Bronzes go home' })
    setNow(new Date(2026, 10, 21, 10, 5))
    site.editions['11-21-26-10AM'] = [wireMemo({ title: 'Saturday begins' })]
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    await screen.findByRole('button', { name: 'The 10AM edition is here' })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('November 20')
    expect(screen.getByRole('button', { name: 'Bronzes go home' })).toBeDefined()
    await user.click(screen.getByRole('link', { name: 'November 20' }))
    await screen.findByRole('button', { name: 'Saturday begins' })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('November 21')
    expect(screen.queryByRole('button', { name: /edition is here/ })).toBeNull()
  })

  it('offers the next day’s edition to a reader of a chosen one, and leads to it', async () => {
    const path = '/edition/11-20-26-10AM'
    const { setNow, user, site, router } = await renderApp({ path, site: twoEditions() })
    await screen.findByRole('button', { name: 'Harbour opens' })
    setNow(new Date(2026, 10, 21, 10, 5))
    site.editions['11-21-26-10AM'] = [wireMemo({ title: 'Saturday begins' })]
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    await user.click(await screen.findByRole('button', { name: 'The 10AM edition is here' }))
    await screen.findByRole('button', { name: 'Saturday begins' })
    expect(router.state.location.pathname).toBe('/edition/11-21-26-10AM')
    expect(screen.queryByRole('button', { name: /edition is here/ })).toBeNull()
  })

  it('says that an edition is late once its time has passed', async () => {
    const site = fakeSite({ editions: { '11-19-26-8PM': [wireMemo({ title: 'Thursday ends' })] } })
    const now = new Date(2026, 10, 20, 8, 0)
    const { setNow } = await renderApp({ path: '/home', site, now })
    await screen.findByText('That was November 19.')
    await screen.findByText('The next one arrives at 10AM.')
    setNow(new Date(2026, 10, 20, 10, 0, 30))
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    await screen.findByText('The 10AM edition is late.')
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('November 19')
  })

  it('orders slots by their time', async () => {
    const site = fakeSite({
      editions: {
        '11-20-26-8PM': [wireMemo({ title: 'Evening' })],
        '11-20-26-10AM': [wireMemo({ title: 'Morning' })],
      },
    })
    await renderApp({ path: '/home', site })
    await screen.findByRole('button', { name: 'Evening' })
  })

  it('opens the edition of a chosen slot', async () => {
    const { user, router } = await renderApp({ path: '/home', site: twoEditions() })
    await screen.findByRole('button', { name: 'Bronzes go home' })
    await user.click(screen.getByRole('link', { name: '10AM' }))
    await screen.findByRole('button', { name: 'Harbour opens' })
    expect(router.state.location.pathname).toBe('/edition/11-20-26-10AM')
    expect(screen.getByRole('link', { name: '10AM' }).getAttribute('aria-current')).toBe('page')
  })

  it('shows the newest edition in full, under its own date, while the day has none', async () => {
    const site = fakeSite({ editions: { '11-18-26-8PM': [wireMemo({ title: 'Wednesday ends' })] } })
    const { router } = await renderApp({ path: '/home', site })
    await screen.findByRole('button', { name: 'Wednesday ends' })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('November 18')
    expect(screen.getByRole('link', { name: '8PM' }).getAttribute('aria-current')).toBe('true')
    expect(screen.queryByRole('button', { name: 'Expand all' })).toBeNull()
    expect(router.state.location.pathname).toBe('/home')
  })

  it('says on a site without any edition when the first one arrives', async () => {
    await renderApp({ path: '/home', now: new Date(2026, 10, 20, 8, 0) })
    await screen.findByText('The 10AM edition arrives at ten.')
  })

  it('shows a skeleton while memos load', async () => {
    const pending = Promise.withResolvers<void>()
    const site = twoEditions()
    const rendering = renderApp({ path: '/home', site })
    apiServer.use(
      fake(getTimeList, async () => {
        await pending.promise
        return { date: '11-20-26', timeStamp: ['10AM'] }
      }),
    )
    await rendering
    await screen.findByText('Loading...')
    pending.resolve()
    await screen.findByRole('button', { name: 'Harbour opens' })
  })
})

describe('/edition/:timestamp', () => {
  it('links its own slot as soon as it has memos, before the slots of the day have loaded', async () => {
    const pending = Promise.withResolvers<void>()
    const rendering = renderApp({ path: '/edition/11-18-26-8PM', site: twoEditions() })
    apiServer.use(
      fake(getTimeList, async () => {
        await pending.promise
        return { date: '11-18-26', timeStamp: ['8PM'] }
      }),
    )
    await rendering
    await screen.findByRole('button', { name: 'Wednesday ends' })
    expect(screen.getByRole('link', { name: '8PM' }).getAttribute('href')).toBe('/edition/11-18-26-8PM')
    expect(screen.getByRole('link', { name: '10AM' }).getAttribute('aria-disabled')).toBe('true')
    pending.resolve()
  })

  it('returns to today when the reader taps the date', async () => {
    const { user, router } = await renderApp({ path: '/edition/11-18-26-8PM', site: twoEditions() })
    await screen.findByRole('button', { name: 'Wednesday ends' })
    await user.click(screen.getByRole('link', { name: 'November 18' }))
    await screen.findByRole('button', { name: 'Bronzes go home' })
    expect(router.state.location.pathname).toBe('/home')
  })

  it('shows the year of a date in another year', async () => {
    const site = fakeSite({ editions: { '07-12-22-10AM': [wireMemo({ title: 'The deepest picture' })] } })
    await renderApp({ path: '/edition/07-12-22-10AM', site })
    await screen.findByRole('heading', { name: 'July 12, 2022' })
  })

  it('ends with a line about the next edition', async () => {
    const site = fakeSite({ editions: { '11-20-26-10AM': [wireMemo({ title: 'Harbour opens' })] } })
    await renderApp({ path: '/edition/11-20-26-10AM', site })
    await screen.findByText('That is the 10AM edition.')
    await screen.findByText('The next one arrives at 3PM.')
  })

  it('ends with a link to the next edition once that is out', async () => {
    const { user } = await renderApp({ path: '/edition/11-18-26-8PM', site: twoEditions() })
    await screen.findByText('That was November 18.')
    await user.click(await screen.findByRole('link', { name: 'The 10AM edition is here.' }))
    await user.click(await screen.findByRole('link', { name: 'The 3PM edition is here.' }))
    await screen.findByRole('button', { name: 'Bronzes go home' })
    await screen.findByText('That is the 3PM edition.')
    await screen.findByText('The next one arrives at 8PM.')
  })

  it.each([
    { state: 'planned', key: '11-20-26-8PM', time: '12:00', text: 'The 8PM edition arrives at eight.' },
    { state: 'late or held', key: '11-20-26-8PM', time: '20:31', text: 'The 8PM edition is late.' },
    { state: 'skipped', key: '11-20-26-9AM', time: '12:00', text: 'There is no 9AM edition today.' },
    {
      state: 'skipped',
      key: '11-19-26-10AM',
      time: '12:00',
      text: 'There was no 10AM edition on November 19.',
    },
  ])('does not link to $key, which is $state at $time, and says so', async ({ key, time, text }) => {
    const slots = [{ label: '9AM', minutes: 540 }, ...slotTimes]
    const now = new Date(`2026-11-20T${time}:00-08:00`)
    await renderApp({ path: `/edition/${key}`, site: twoEditions(), now, config: { slots } })
    await screen.findByText(text)
    await screen.findByRole('link', { name: /Read the latest/ })
    const slot = screen.getByRole('link', { name: key.split('-').at(-1) ?? '' })
    await waitFor(() => expect(slot.getAttribute('aria-disabled')).toBe('true'))
  })

  it.each([
    ['11-20-28-10AM', 'The 10AM edition arrives on November 20, 2028 at ten.'],
    ['02-30-26-10AM', 'This edition doesn’t exist.'],
    ['yesterday', 'This edition doesn’t exist.'],
  ])('explains that %s is missing and links to the latest edition', async (key, sentence) => {
    const now = new Date('2026-11-20T12:00:00-08:00')
    await renderApp({ path: `/edition/${key}`, site: twoEditions(), now })
    await screen.findByText(sentence)
    await screen.findByRole('link', { name: /Read the latest/ })
  })

  it('sets the title of the page', async () => {
    await renderApp({ path: '/edition/11-20-26-10AM', site: twoEditions() })
    await screen.findByRole('button', { name: 'Harbour opens' })
    expect(document.title).toBe('November 20, 10AM · Tidings')
  })

  it('reports a failed request and tries again', async () => {
    const site = twoEditions()
    const rendering = renderApp({ path: '/edition/11-20-26-10AM', site })
    apiServer.use(fake(listMemos, () => errorResponse(500, 'unknown-error', 'Broken')))
    const { user } = await rendering
    const again = await screen.findByRole('button', { name: 'Try again' }, { timeout: 3000 })
    serve(site)
    await user.click(again)
    await screen.findByRole('button', { name: 'Harbour opens' })
  })

  it('shows an offline reader what they read last', async () => {
    window.sessionStorage.setItem('isProtectionVerified', 'true')
    window.localStorage.setItem(
      'tidings:last-read',
      JSON.stringify({ key: '11-19-26-8PM', memos: [wireMemo({ title: 'Saved for the tunnel' })] }),
    )
    await renderApp({ path: '/home', offline: true })
    await screen.findByText(
      /You’re offline. Here’s what you read last: November 19, 8PM./,
      {},
      { timeout: 3000 },
    )
    await screen.findByRole('button', { name: 'Saved for the tunnel' })
  })

  it('saves the edition for reading offline', async () => {
    await renderApp({ path: '/edition/11-20-26-10AM', site: twoEditions() })
    await screen.findByRole('button', { name: 'Harbour opens' })
    await waitFor(() => expect(window.localStorage.getItem('tidings:last-read')).toContain('Harbour opens'))
  })
})
