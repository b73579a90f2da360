import { act, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { fakeSite, wireMemo } from '../testing/api-handlers.ts'
import { renderApp } from '../testing/render-app.tsx'

function newMemo(title: string, slot = '10AM') {
  return { event: 'NEW_MEMO', data: { ...wireMemo({ title }), date: '11-20-26', time_stamp: slot } }
}

async function readMorning(path = '/edition/11-20-26-10AM') {
  const site = fakeSite({ editions: { '11-20-26-10AM': [wireMemo({ title: 'Harbour opens' })] } })
  const rendered = await renderApp({ path, site })
  await screen.findByRole('button', { name: 'Harbour opens' })
  await waitFor(() => expect(rendered.sockets.opened).toEqual(['/socket']))
  act(() => rendered.sockets.server().opened())
  return rendered
}

function scrollDown() {
  vi.spyOn(window, 'scrollY', 'get').mockReturnValue(400)
}

function turnPage(sight: 'hidden' | 'visible') {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(sight === 'hidden')
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}

function titles() {
  return screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)
}

describe('a memo that arrives live', () => {
  it('joins its edition and is announced politely', async () => {
    const { say } = await readMorning()
    say(newMemo('River keeps its standing'))
    await screen.findByRole('button', { name: 'River keeps its standing' })
    expect(titles()).toEqual(['Harbour opens', 'River keeps its standing'])
    const announcement = screen.getByText('New memo: River keeps its standing')
    expect(announcement.getAttribute('aria-live')).toBe('polite')
  })

  it('is shown once, however often it is told', async () => {
    const { say } = await readMorning()
    say(newMemo('River keeps its standing'))
    say(newMemo('River keeps its standing'))
    await screen.findByRole('button', { name: 'River keeps its standing' })
    expect(titles()).toEqual(['Harbour opens', 'River keeps its standing'])
  })

  it('takes the place that the editors gave it', async () => {
    const { say, site } = await readMorning()
    const first = newMemo('Night train returns')
    site.editions['11-20-26-10AM']?.unshift(wireMemo({ title: 'Night train returns' }))
    say(first)
    await waitFor(() => expect(titles()).toEqual(['Night train returns', 'Harbour opens']), { timeout: 3000 })
  })

  it('waits behind a line at the top while the reader has scrolled', async () => {
    const { say, user } = await readMorning()
    scrollDown()
    say(newMemo('River keeps its standing'))
    const line = await screen.findByRole('button', { name: 'New memo' })
    expect(titles()).toEqual(['Harbour opens'])
    await user.click(line)
    const shown = await screen.findByRole('button', { name: 'River keeps its standing' })
    await waitFor(() => expect(document.activeElement).toBe(shown))
    expect(screen.queryByRole('button', { name: 'New memo' })).toBeNull()
  })

  it('that waited is shown when the reader comes back to the top', async () => {
    const { say } = await readMorning()
    scrollDown()
    say(newMemo('River keeps its standing'))
    await screen.findByRole('button', { name: 'New memo' })
    vi.spyOn(window, 'scrollY', 'get').mockReturnValue(0)
    act(() => void window.dispatchEvent(new Event('scroll')))
    await screen.findByRole('button', { name: 'River keeps its standing' })
  })

  it('of a newer edition does not take the place of the one being read', async () => {
    const { say, user, router, site } = await readMorning('/home')
    const afternoon = newMemo('Bronzes go home', '3PM')
    site.editions['11-20-26-3PM'] = [wireMemo({ title: 'Bronzes go home' })]
    say(afternoon)
    const slot = () => screen.getByRole('link', { name: '3PM' })
    await waitFor(() => expect(slot().getAttribute('aria-disabled')).toBeNull())
    expect(titles()).toEqual(['Harbour opens'])
    await user.click(screen.getByRole('button', { name: 'New memo' }))
    await screen.findByRole('button', { name: 'Bronzes go home' })
    expect(router.state.location.pathname).toBe('/edition/11-20-26-3PM')
  })

  it('fills a day that had no edition yet', async () => {
    const site = fakeSite()
    const { say, sockets } = await renderApp({ path: '/home', site })
    await screen.findByText(/arrives at ten/)
    await waitFor(() => expect(sockets.opened).toHaveLength(1))
    site.editions['11-20-26-10AM'] = [wireMemo({ title: 'Harbour opens' })]
    say(newMemo('Harbour opens'))
    await screen.findByRole('button', { name: 'Harbour opens' })
  })
})

describe('the live feed of the page', () => {
  it('is not opened before the gate is passed', async () => {
    const site = fakeSite({ gate: { on: true, passed: false, password: 'tidings' } })
    const { sockets } = await renderApp({ path: '/home', site })
    await screen.findByLabelText('Password')
    expect(sockets.opened).toEqual([])
  })

  it('asks about the gate when the server will not open the socket', async () => {
    const { sockets, site } = await readMorning()
    site.gate.passed = false
    act(() => sockets.server().closed(1006))
    act(() => window.dispatchEvent(new Event('online')))
    act(() => sockets.server().closed(1006))
    await screen.findByLabelText('Password')
  })

  it('has what is shown read again after a gap', async () => {
    const { sockets, site } = await readMorning()
    act(() => sockets.server().closed(1012))
    site.editions['11-20-26-10AM']?.push(wireMemo({ title: 'Missed meanwhile' }))
    act(() => window.dispatchEvent(new Event('online')))
    act(() => sockets.server().opened())
    await screen.findByRole('button', { name: 'Missed meanwhile' })
  })

  it('lets go of the socket when the page was out of sight for five minutes, and is back with the reader', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    const { sockets } = await readMorning()
    turnPage('hidden')
    vi.advanceTimersByTime(299_000)
    expect(sockets.closedByPage).toBe(0)
    vi.advanceTimersByTime(1000)
    expect(sockets.closedByPage).toBe(1)
    turnPage('visible')
    expect(sockets.opened).toHaveLength(2)
  })

  it('keeps its socket when the reader is back sooner', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    const { sockets } = await readMorning()
    turnPage('hidden')
    vi.advanceTimersByTime(60_000)
    turnPage('visible')
    vi.advanceTimersByTime(300_000)
    expect(sockets.closedByPage).toBe(0)
    expect(sockets.opened).toHaveLength(1)
  })

  it('survives a frame it cannot read', async () => {
    const { sockets, say } = await readMorning()
    act(() => sockets.server().received('not json'))
    say(newMemo('River keeps its standing'))
    await screen.findByRole('button', { name: 'River keeps its standing' })
  })
})
