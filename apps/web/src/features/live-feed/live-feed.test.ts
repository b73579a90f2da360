import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeSockets } from '../../testing/fake-socket.ts'
import type { Arrival } from './arrival.ts'
import { createLiveFeed } from './live-feed.ts'

function startedFeed() {
  const sockets = fakeSockets()
  const heard: { arrivals: Arrival[]; gaps: number; refusals: number } = {
    arrivals: [],
    gaps: 0,
    refusals: 0,
  }
  const feed = createLiveFeed({
    openSocket: sockets.open,
    chance: () => 1,
    onArrival: (arrival) => heard.arrivals.push(arrival),
    onGap: () => {
      heard.gaps += 1
    },
    onRefused: () => {
      heard.refusals += 1
    },
  })
  feed.start()
  return { feed, sockets, heard }
}

const frame = { event: 'NEW_MEMO', data: { _id: 'a', title: 'A', date: '11-20-26', time_stamp: '10AM' } }

describe('the live feed', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })

  it('opens one socket, at /socket', () => {
    const { feed, sockets } = startedFeed()
    feed.start()
    expect(sockets.opened).toEqual(['/socket'])
  })

  it('hands on a new memo with its edition', () => {
    const { sockets, heard } = startedFeed()
    sockets.server().opened()
    sockets.server().received(JSON.stringify(frame))
    expect(heard.arrivals).toMatchObject([{ date: { year: 2026, month: 11, day: 20 }, slot: '10AM' }])
  })

  it.each([
    ['no JSON', '{'],
    ['another event', JSON.stringify({ ...frame, event: 'TYPING' })],
    ['an impossible date', JSON.stringify({ ...frame, data: { ...frame.data, date: '13-40-26' } })],
    ['no slot', JSON.stringify({ ...frame, data: { ...frame.data, time_stamp: 3 } })],
    ['no data', JSON.stringify({ event: 'NEW_MEMO' })],
  ])('passes over a frame with %s', (_name, text) => {
    const { sockets, heard } = startedFeed()
    sockets.server().opened()
    sockets.server().received(text)
    expect(heard.arrivals).toEqual([])
  })

  it.each([1000, 1006, 1012])('opens a new socket after a close with %i', (code) => {
    const { sockets } = startedFeed()
    sockets.server().opened()
    sockets.server().closed(code)
    expect(sockets.opened).toHaveLength(1)
    vi.advanceTimersByTime(1000)
    expect(sockets.opened).toHaveLength(2)
  })

  it('asks to read again what is shown once the connection is back', () => {
    const { sockets, heard } = startedFeed()
    sockets.server().opened()
    sockets.server().closed(1012)
    vi.advanceTimersByTime(1000)
    expect(heard.gaps).toBe(0)
    sockets.server().opened()
    expect(heard.gaps).toBe(1)
  })

  it('has what was read just before the first opening read again when the connection holds', () => {
    const { sockets, heard } = startedFeed()
    sockets.server().opened()
    vi.advanceTimersByTime(9999)
    expect(heard.gaps).toBe(0)
    vi.advanceTimersByTime(1)
    expect(heard.gaps).toBe(1)
  })

  it('counts a first opening that took long as a gap', () => {
    const { sockets, heard } = startedFeed()
    vi.advanceTimersByTime(3000)
    sockets.server().opened()
    expect(heard.gaps).toBe(1)
  })

  it('tells a refused opening apart from a lost connection', () => {
    const { sockets, heard } = startedFeed()
    sockets.server().closed(1006)
    expect(heard.refusals).toBe(1)
    vi.advanceTimersByTime(1000)
    sockets.server().opened()
    sockets.server().closed(1006)
    expect(heard.refusals).toBe(1)
  })

  it('does not wait on when it is hurried', () => {
    const { feed, sockets } = startedFeed()
    sockets.server().closed(1006)
    feed.hurry()
    expect(sockets.opened).toHaveLength(2)
  })

  it('closes its socket and opens no other when it is stopped', () => {
    const { feed, sockets } = startedFeed()
    const server = sockets.server()
    server.opened()
    feed.stop()
    server.closed(1000)
    vi.advanceTimersByTime(60_000)
    expect(sockets.closedByPage).toBe(1)
    expect(sockets.opened).toHaveLength(1)
  })
})
