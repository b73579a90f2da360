import { act, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { fakeSite, wireMemo } from '#testing/api-handlers.ts'
import { renderApp } from '#testing/render-app.tsx'

function newMemoFrame(title: string, { slot = '10AM', position = 2 } = {}) {
  return { event: 'NEW_MEMO', data: { ...wireMemo({ title }), date: '11-20-26', time_stamp: slot, position } }
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
  return screen.queryAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)
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

  it('goes to the position that the editors gave it at once', async () => {
    const { sendFrame } = await openMorning()
    sendFrame(newMemoFrame('Night train returns', { position: 1 }))
    await screen.findByRole('button', { name: 'Night train returns' })
    expect(titles()).toEqual(['Night train returns', 'Harbour opens'])
    expect(screen.queryByRole('button', { name: 'New memo' })).toBeNull()
    // A row that moves while it enters does not enter again.
    const rows = screen.getAllByRole('listitem').filter((row) => row.matches('.memo'))
    expect(rows.map(({ dataset }) => dataset.entered)).toEqual([undefined, 'true'])
  })

  it('ends up in the editors’ order after a burst', async () => {
    const { sendFrame, site } = await openMorning()
    const [first, second] = [wireMemo({ title: 'First of two' }), wireMemo({ title: 'Second of two' })]
    site.editions['11-20-26-10AM']?.unshift(second, first)
    // The second memo was put first before the first event was read.
    sendFrame(newMemoFrame('First of two', { position: 2 }))
    sendFrame(newMemoFrame('Second of two', { position: 1 }))
    await waitFor(() => expect(titles()).toEqual(['Second of two', 'First of two', 'Harbour opens']), {
      timeout: 3000,
    })
  })

  it('is offered by a line at the top while the reader has scrolled, and the line leads to it', async () => {
    const { sendFrame, user, site } = await openMorning()
    scrollDown()
    site.editions['11-20-26-10AM']?.unshift(wireMemo({ title: 'River keeps its standing' }))
    sendFrame(newMemoFrame('River keeps its standing', { position: 1 }))
    const button = await screen.findByRole('button', { name: 'New memo' })
    expect(titles()).toEqual(['Harbour opens'])
    await user.click(button)
    const shown = await screen.findByRole('button', { name: 'River keeps its standing' })
    await waitFor(() => expect(document.activeElement).toBe(shown))
    expect(screen.queryByRole('button', { name: 'New memo' })).toBeNull()
  })

  it('waits while a memo below it is open, even at the top of the page', async () => {
    const { sendFrame, user } = await openMorning()
    await user.click(screen.getByRole('button', { name: 'Harbour opens' }))
    sendFrame(newMemoFrame('River keeps its standing', { position: 1 }))
    await screen.findByRole('button', { name: 'New memo' })
    expect(titles()).toEqual(['Harbour opens'])
  })

  it('is shown once the reader scrolls back to the top', async () => {
    const { sendFrame } = await openMorning()
    scrollDown()
    sendFrame(newMemoFrame('River keeps its standing', { position: 1 }))
    await screen.findByRole('button', { name: 'New memo' })
    vi.spyOn(window, 'scrollY', 'get').mockReturnValue(0)
    act(() => void window.dispatchEvent(new Event('scroll')))
    await screen.findByRole('button', { name: 'River keeps its standing' })
    expect(screen.queryByRole('button', { name: 'New memo' })).toBeNull()
  })

  it('of another edition of the day is reached by the line', async () => {
    const { sendFrame, user, router, site } = await openMorning()
    site.editions['11-20-26-3PM'] = [wireMemo({ title: 'Bronzes go home' })]
    sendFrame(newMemoFrame('Bronzes go home', { slot: '3PM', position: 1 }))
    await user.click(await screen.findByRole('button', { name: 'The 3PM edition is here' }))
    await screen.findByRole('button', { name: 'Bronzes go home' })
    await user.click(screen.getByRole('link', { name: '10AM' }))
    await screen.findByRole('button', { name: 'Harbour opens' })
    site.editions['11-20-26-3PM']?.push(wireMemo({ title: 'Late arrival' }))
    sendFrame(newMemoFrame('Late arrival', { slot: '3PM' }))
    await user.click(await screen.findByRole('button', { name: 'New memo' }))
    const late = await screen.findByRole('button', { name: 'Late arrival' })
    await waitFor(() => expect(document.activeElement).toBe(late))
    expect(router.state.location.pathname).toBe('/edition/11-20-26-3PM')
  })

  it('of a newer edition does not replace the edition being read', async () => {
    const { sendFrame, user, router, site } = await openMorning('/home')
    const afternoon = newMemoFrame('Bronzes go home', { slot: '3PM', position: 1 })
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

describe('a correction', () => {
  it('replaces the text of an open memo quietly', async () => {
    const { sendFrame, user } = await openMorning()
    await user.click(screen.getByRole('button', { name: 'Harbour opens' }))
    const data = {
      ...wireMemo({ title: 'Harbour opens' }),
      title: 'Harbour opens at noon',
      memo_content: '<p>Corrected.</p>',
    }
    sendFrame({ event: 'MEMO_CHANGED', data: { ...data, date: '11-20-26', time_stamp: '10AM', position: 1 } })
    const corrected = await screen.findByRole('button', { name: 'Harbour opens at noon' })
    expect(corrected.getAttribute('aria-expanded')).toBe('true')
    expect(screen.getByText('Corrected.')).toBeDefined()
    expect(screen.queryByText(/New memo/)).toBeNull()
  })
})

describe('a withdrawn memo', () => {
  it('closes with one line, which takes the focus', async () => {
    const { sendFrame, user } = await openMorning()
    await user.click(screen.getByRole('button', { name: 'Harbour opens' }))
    const { _id } = wireMemo({ title: 'Harbour opens' })
    sendFrame({ event: 'MEMO_WITHDRAWN', data: { _id, date: '11-20-26', time_stamp: '10AM' } })
    const line = await screen.findByText('This memo was withdrawn.')
    expect(titles()).toEqual([])
    expect(screen.queryByText(/body of Harbour/)).toBeNull()
    expect(document.activeElement).toBe(line.closest('li'))
    expect(screen.getByText('A memo was withdrawn.').getAttribute('aria-live')).toBe('polite')
  })

  it('whose reply was on its way when the event came does not return', async () => {
    const { sendFrame, sockets, site } = await openMorning()
    act(() => sockets.server().onClose(1012))
    act(() => window.dispatchEvent(new Event('online')))
    act(() => sockets.server().onOpen())
    const { _id } = wireMemo({ title: 'Harbour opens' })
    sendFrame({ event: 'MEMO_WITHDRAWN', data: { _id, date: '11-20-26', time_stamp: '10AM' } })
    site.editions['11-20-26-10AM'] = []
    await screen.findByText('This memo was withdrawn.')
    await waitFor(() => expect(site.calls.filter((call) => call.endsWith('11-20-26-10AM'))).toHaveLength(3), {
      timeout: 3000,
    })
    expect(titles()).toEqual([])
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

  it('reads nothing into the place of a scrolled reader after a gap', async () => {
    const { sockets, site } = await openMorning()
    scrollDown()
    act(() => sockets.server().onClose(1012))
    site.editions['11-20-26-10AM']?.unshift(wireMemo({ title: 'Missed meanwhile' }))
    act(() => window.dispatchEvent(new Event('online')))
    act(() => sockets.server().onOpen())
    await screen.findByRole('button', { name: 'New memo' })
    expect(titles()).toEqual(['Harbour opens'])
  })

  it('finds corrections and withdrawn editions after a gap', async () => {
    const { sockets, site } = await openMorning()
    act(() => sockets.server().onClose(1012))
    delete site.editions['11-20-26-10AM']
    act(() => window.dispatchEvent(new Event('online')))
    act(() => sockets.server().onOpen())
    await screen.findByText('This memo was withdrawn.')
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
