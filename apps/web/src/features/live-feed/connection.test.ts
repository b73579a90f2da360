import { describe, expect, it } from 'vitest'
import { type Connection, type ConnectionEvent, connectionReducer } from './connection.ts'

function after(...events: ConnectionEvent[]): Connection {
  return events.reduce(connectionReducer, { status: 'idle' })
}

const drop: ConnectionEvent = { type: 'dropped', chance: 1 }
const retry: ConnectionEvent[] = [drop, { type: 'waited' }]

describe('connectionReducer', () => {
  it('waits a random part of a delay that doubles with every failed try', () => {
    const first = after({ type: 'started' }, { type: 'dropped', chance: 0.25 })
    expect(first).toEqual({ status: 'waiting', attempt: 1, delayMs: 250 })
    const third = after({ type: 'started' }, ...retry, ...retry, { type: 'dropped', chance: 0.5 })
    expect(third).toEqual({ status: 'waiting', attempt: 3, delayMs: 2000 })
  })

  it('never waits longer than 30 seconds', () => {
    const retries = Array.from({ length: 40 }, () => retry).flat()
    expect(after({ type: 'started' }, ...retries, drop)).toMatchObject({ delayMs: 30_000 })
  })

  it('keeps the delays growing when a connection opens but does not hold', () => {
    expect(after({ type: 'started' }, ...retry, { type: 'opened' }, drop)).toMatchObject({ delayMs: 2000 })
  })

  it('begins the delays anew once a connection has held', () => {
    const held = after({ type: 'started' }, ...retry, ...retry, { type: 'opened' }, { type: 'held' }, drop)
    expect(held).toMatchObject({ delayMs: 1000 })
  })

  it.each<[string, ConnectionEvent]>([
    ['a second start', { type: 'started' }],
    ['the end of a wait that was not', { type: 'waited' }],
    ['a hold', { type: 'held' }],
  ])('is not moved by %s while connecting', (_name, event) => {
    expect(after({ type: 'started' }, event)).toEqual({ status: 'connecting', attempt: 0 })
  })

  it('stays idle when it was stopped, whatever the socket says afterwards', () => {
    expect(after({ type: 'started' }, { type: 'stopped' }, drop, { type: 'opened' })).toEqual({
      status: 'idle',
    })
  })
})
