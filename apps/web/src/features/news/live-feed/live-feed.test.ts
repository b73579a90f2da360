import { beforeEach, describe, expect, it, vi } from 'vitest'
import { wireMemo } from '#testing/api-handlers.ts'
import { createFakeSockets } from '#testing/fake-socket.ts'
import type { MemoEvent } from '../memo.ts'
import { type Connection, type ConnectionEvent, connectionReducer, createLiveFeed } from './live-feed.ts'

function startFeed() {
  const sockets = createFakeSockets()
  const received: { events: MemoEvent[]; gaps: number; refusals: number } = {
    events: [],
    gaps: 0,
    refusals: 0,
  }
  const feed = createLiveFeed({
    openSocket: sockets.open,
    random: () => 1,
    onMemoEvent: (event) => received.events.push(event),
    onGap: () => {
      received.gaps += 1
    },
    onRefused: () => {
      received.refusals += 1
    },
  })
  feed.start()
  return { feed, sockets, received }
}

const data = { ...wireMemo({ title: 'Harbour opens' }), date: '11-20-26', time_stamp: '10AM', position: 2 }
const frame = { event: 'NEW_MEMO', data }

describe('the live feed', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })

  it('opens one socket at /socket', () => {
    const { feed, sockets } = startFeed()
    feed.start()
    expect(sockets.opened).toEqual(['/socket'])
  })

  it('passes on a new memo with its edition', () => {
    const { sockets, received } = startFeed()
    sockets.server().onOpen()
    sockets.server().onMessage(JSON.stringify(frame))
    expect(received.events).toMatchObject([
      {
        kind: 'new',
        editionKey: '11-20-26-10AM',
        slot: '10AM',
        memo: { title: 'Harbour opens' },
        position: 2,
      },
    ])
  })

  it('passes on corrections and withdrawals', () => {
    const { sockets, received } = startFeed()
    sockets.server().onOpen()
    const { _id, date, time_stamp } = data
    sockets.server().onMessage(JSON.stringify({ event: 'MEMO_CHANGED', data }))
    sockets.server().onMessage(JSON.stringify({ event: 'MEMO_WITHDRAWN', data: { _id, date, time_stamp } }))
    expect(received.events).toMatchObject([
      { kind: 'changed', memo: { title: 'Harbour opens' } },
      { kind: 'withdrawn', editionKey: '11-20-26-10AM', memoId: _id },
    ])
  })

  it.each([
    ['invalid JSON', '{'],
    ['another event', JSON.stringify({ ...frame, event: 'TYPING' })],
    ['an impossible date', JSON.stringify({ ...frame, data: { ...data, date: '13-40-26' } })],
    ['no position', JSON.stringify({ ...frame, data: { ...data, position: undefined } })],
    ['an invalid slot', JSON.stringify({ ...frame, data: { ...data, time_stamp: 3 } })],
    ['no data', JSON.stringify({ event: 'NEW_MEMO' })],
  ])('ignores a frame with %s', (_name, text) => {
    const { sockets, received } = startFeed()
    sockets.server().onOpen()
    sockets.server().onMessage(text)
    expect(received.events).toEqual([])
  })

  it.each([1000, 1006, 1012])('reconnects after close code %i', (code) => {
    const { sockets } = startFeed()
    sockets.server().onOpen()
    sockets.server().onClose(code)
    expect(sockets.opened).toHaveLength(1)
    vi.advanceTimersByTime(1000)
    expect(sockets.opened).toHaveLength(2)
  })

  it('reports a gap after it has reconnected', () => {
    const { sockets, received } = startFeed()
    sockets.server().onOpen()
    sockets.server().onClose(1012)
    vi.advanceTimersByTime(1000)
    expect(received.gaps).toBe(0)
    sockets.server().onOpen()
    expect(received.gaps).toBe(1)
  })

  it('reports a gap once its first connection is stable', () => {
    const { sockets, received } = startFeed()
    sockets.server().onOpen()
    vi.advanceTimersByTime(9999)
    expect(received.gaps).toBe(0)
    vi.advanceTimersByTime(1)
    expect(received.gaps).toBe(1)
  })

  it('reports a gap after a slow first opening', () => {
    const { sockets, received } = startFeed()
    vi.advanceTimersByTime(3000)
    sockets.server().onOpen()
    expect(received.gaps).toBe(1)
  })

  it('distinguishes a refused opening from a lost connection', () => {
    const { sockets, received } = startFeed()
    sockets.server().onClose(1006)
    expect(received.refusals).toBe(1)
    vi.advanceTimersByTime(1000)
    sockets.server().onOpen()
    sockets.server().onClose(1006)
    expect(received.refusals).toBe(1)
  })

  it('reconnects at once when asked to', () => {
    const { feed, sockets } = startFeed()
    sockets.server().onClose(1006)
    feed.reconnectNow()
    expect(sockets.opened).toHaveLength(2)
  })

  it('closes its socket and opens no other after a stop', () => {
    const { feed, sockets } = startFeed()
    const server = sockets.server()
    server.onOpen()
    feed.stop()
    server.onClose(1000)
    vi.advanceTimersByTime(60_000)
    expect(sockets.closedByPage).toBe(1)
    expect(sockets.opened).toHaveLength(1)
  })
})

function after(...events: ConnectionEvent[]): Connection {
  return events.reduce(connectionReducer, { status: 'idle' })
}

const drop: ConnectionEvent = { type: 'dropped', random: 1 }
const retry: ConnectionEvent[] = [drop, { type: 'delayElapsed' }]

describe('connectionReducer', () => {
  it('waits a random part of a delay that doubles with every failed attempt', () => {
    const first = after({ type: 'started' }, { type: 'dropped', random: 0.25 })
    expect(first).toEqual({ status: 'waiting', attempt: 1, delayMs: 250 })
    const third = after({ type: 'started' }, ...retry, ...retry, { type: 'dropped', random: 0.5 })
    expect(third).toEqual({ status: 'waiting', attempt: 3, delayMs: 2000 })
  })

  it('never waits longer than 30 seconds', () => {
    const retries = Array.from({ length: 40 }, () => retry).flat()
    expect(after({ type: 'started' }, ...retries, drop)).toMatchObject({ delayMs: 30_000 })
  })

  it('keeps increasing the delay when a connection opens but does not last', () => {
    expect(after({ type: 'started' }, ...retry, { type: 'opened' }, drop)).toMatchObject({ delayMs: 2000 })
  })

  it('resets the delay after a stable connection', () => {
    const events = [...retry, ...retry, { type: 'opened' }, { type: 'stabilized' }, drop] as const
    expect(after({ type: 'started' }, ...events)).toMatchObject({ delayMs: 1000 })
  })

  it.each<[string, ConnectionEvent]>([
    ['a second start', { type: 'started' }],
    ['an elapsed delay', { type: 'delayElapsed' }],
    ['a stable connection', { type: 'stabilized' }],
  ])('ignores %s while connecting', (_name, event) => {
    expect(after({ type: 'started' }, event)).toEqual({ status: 'connecting', attempt: 0 })
  })

  it('stays idle after a stop, whatever the socket reports', () => {
    expect(after({ type: 'started' }, { type: 'stopped' }, drop, { type: 'opened' })).toEqual({
      status: 'idle',
    })
  })
})
