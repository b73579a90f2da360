import { describe, expect, it } from 'vitest'
import { type Connection, type ConnectionEvent, connectionReducer } from './connection.ts'

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
