import { act, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { fakeSite, wireMemo } from '#testing/api-handlers.ts'
import { renderApp } from '#testing/render-app.tsx'

function newMemoFrame(title: string, slot = '10AM') {
  return { event: 'NEW_MEMO', data: { ...wireMemo({ title }), date: '11-20-26', time_stamp: slot } }
}

async function openMorning(path = '/edition/11-20-26-10AM') {
  const site = fakeSite({ editions: { '11-20-26-10AM': [wireMemo({ title: 'Harbour opens' })] } })
  const rendered = await renderApp({ path, site })
  await screen.findByRole('button', { name: 'Harbour opens' })
  await waitFor(() => expect(rendered.sockets.opened).toEqual(['/socket']))
  act(() => rendered.sockets.server().onOpen())
  return rendered
}

function scrollDown() {
  vi.spyOn(window, 'scrollY', 'get').mockReturnValue(400)
}

function setVisibility(state: 'hidden' | 'visible') {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(state === 'hidden')
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}

function titles() {
  return screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)
}

describe('a new memo from the live feed', () => {
  it('is added to its edition and announced politely', async () => {
    const { sendFrame } = await openMorning()
    sendFrame(newMemoFrame('River keeps its standing'))
    await screen.findByRole('button', { name: 'River keeps its standing' })
    expect(titles()).toEqual(['Harbour opens', 'River keeps its standing'])
    const announcement = screen.getByText('New memo: River keeps its standing')
    expect(announcement.getAttribute('aria-live')).toBe('polite')
  })

  it('is shown once, however often it arrives', async () => {
    const { sendFrame } = await openMorning()
    sendFrame(newMemoFrame('River keeps its standing'))
    sendFrame(newMemoFrame('River keeps its standing'))
    await screen.findByRole('button', { name: 'River keeps its standing' })
    expect(titles()).toEqual(['Harbour opens', 'River keeps its standing'])
  })

  it('moves to the position that the editors gave it', async () => {
    const { sendFrame, site } = await openMorning()
    const first = newMemoFrame('Night train returns')
    site.editions['11-20-26-10AM']?.unshift(wireMemo({ title: 'Night train returns' }))
    sendFrame(first)
    await waitFor(() => expect(titles()).toEqual(['Night train returns', 'Harbour opens']), { timeout: 3000 })
  })

  it('is offered by a button at the top while the reader has scrolled', async () => {
    const { sendFrame, user } = await openMorning()
    scrollDown()
    sendFrame(newMemoFrame('River keeps its standing'))
    const button = await screen.findByRole('button', { name: 'New memo' })
    expect(titles()).toEqual(['Harbour opens'])
    await user.click(button)
    const shown = await screen.findByRole('button', { name: 'River keeps its standing' })
    await waitFor(() => expect(document.activeElement).toBe(shown))
    expect(screen.queryByRole('button', { name: 'New memo' })).toBeNull()
  })

  it('is shown once the reader scrolls back to the top', async () => {
    const { sendFrame } = await openMorning()
    scrollDown()
    sendFrame(newMemoFrame('River keeps its standing'))
    await screen.findByRole('button', { name: 'New memo' })
    vi.spyOn(window, 'scrollY', 'get').mockReturnValue(0)
    act(() => void window.dispatchEvent(new Event('scroll')))
    await screen.findByRole('button', { name: 'River keeps its standing' })
  })

  it('of a newer edition does not replace the edition being read', async () => {
    const { sendFrame, user, router, site } = await openMorning('/home')
    const afternoon = newMemoFrame('Bronzes go home', '3PM')
    site.editions['11-20-26-3PM'] = [wireMemo({ title: 'Bronzes go home' })]
    sendFrame(afternoon)
    const slot = () => screen.getByRole('link', { name: '3PM' })
    await waitFor(() => expect(slot().getAttribute('aria-disabled')).toBeNull())
    expect(titles()).toEqual(['Harbour opens'])
    await user.click(screen.getByRole('button', { name: 'The 3PM edition is here' }))
    await screen.findByRole('button', { name: 'Bronzes go home' })
    expect(router.state.location.pathname).toBe('/edition/11-20-26-3PM')
  })

  it('appears on a day that had no edition yet', async () => {
    const site = fakeSite()
    const { sendFrame, sockets } = await renderApp({ path: '/home', site })
    await screen.findByText('The 10AM edition is late.')
    await waitFor(() => expect(sockets.opened).toHaveLength(1))
    site.editions['11-20-26-10AM'] = [wireMemo({ title: 'Harbour opens' })]
    sendFrame(newMemoFrame('Harbour opens'))
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

  it('checks the gate again when the server refuses the socket', async () => {
    const { sockets, site } = await openMorning()
    site.gate.passed = false
    act(() => sockets.server().onClose(1006))
    act(() => window.dispatchEvent(new Event('online')))
    act(() => sockets.server().onClose(1006))
    await screen.findByLabelText('Password')
  })

  it('reads the shown edition again after a gap', async () => {
    const { sockets, site } = await openMorning()
    act(() => sockets.server().onClose(1012))
    site.editions['11-20-26-10AM']?.push(wireMemo({ title: 'Missed meanwhile' }))
    act(() => window.dispatchEvent(new Event('online')))
    act(() => sockets.server().onOpen())
    await screen.findByRole('button', { name: 'Missed meanwhile' })
  })

  it('closes its socket after five hidden minutes and reconnects when the page is visible', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    const { sockets } = await openMorning()
    setVisibility('hidden')
    vi.advanceTimersByTime(299_000)
    expect(sockets.closedByPage).toBe(0)
    vi.advanceTimersByTime(1000)
    expect(sockets.closedByPage).toBe(1)
    setVisibility('visible')
    expect(sockets.opened).toHaveLength(2)
  })

  it('keeps its socket when the page is hidden for less', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    const { sockets } = await openMorning()
    setVisibility('hidden')
    vi.advanceTimersByTime(60_000)
    setVisibility('visible')
    vi.advanceTimersByTime(300_000)
    expect(sockets.closedByPage).toBe(0)
    expect(sockets.opened).toHaveLength(1)
  })

  it('ignores an invalid frame', async () => {
    const { sockets, sendFrame } = await openMorning()
    act(() => sockets.server().onMessage('not json'))
    sendFrame(newMemoFrame('River keeps its standing'))
    await screen.findByRole('button', { name: 'River keeps its standing' })
  })
})
