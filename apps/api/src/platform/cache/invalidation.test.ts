import { describe, expect, it } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { createCoalescedNotifications } from '../notifications/coalesced-notifications.ts'
import type { Notifications } from '../notifications/notifications.ts'
import { createInvalidation, formatInvalidation } from './invalidation.ts'

/** Creates notifications that the test sends, and a cache that records its calls. */
function createTestNotifications() {
  const calls: string[] = []
  let deliver: (payload: string) => void = () => undefined
  let lose: () => void = () => undefined
  let restore: () => void = () => undefined
  const notifications: Notifications = {
    on: (_channel, handler) => {
      deliver = handler
    },
    onLost: (handler) => {
      lose = handler
    },
    onRestored: (handler) => {
      restore = handler
    },
    isListening: () => true,
    sendAll: async () => undefined,
    start: async () => undefined,
    stop: async () => undefined,
  }
  const coalesced = createCoalescedNotifications({ ...createCapturedLog(), send: notifications.sendAll })
  createInvalidation({ notifications, coalesced }, [
    {
      drop: (key) => void calls.push(`drop ${key}`),
      dropSoon: (key) => void calls.push(`soon ${key}`),
      clear: () => void calls.push('clear'),
      lose: () => void calls.push('lose'),
      restore: () => void calls.push('restore'),
    },
  ])
  return {
    calls,
    deliver: (payload: string) => deliver(payload),
    lose: () => lose(),
    restore: () => restore(),
  }
}

describe('formatInvalidation', () => {
  it.each([
    [{ at: ['archive'] }, 'archive'],
    [{ at: ['a', 'b'] }, 'a b'],
    [{ soon: ['a'] }, '~a'],
    [{ at: ['a'], soon: ['b', 'c'] }, 'a ~b ~c'],
  ])('writes %j as %j', (keys, payload) => {
    expect(formatInvalidation(keys)).toBe(payload)
  })

  it('invalidates everything when the keys exceed the notification limit', () => {
    const keys = Array.from({ length: 400 }, (_, index) => `edition:11-20-26-${index}`)
    expect(formatInvalidation({ at: keys })).toBe('*')
    expect(formatInvalidation({ at: keys.slice(0, 300) })).toContain('edition:11-20-26-299')
  })

  it('counts bytes, not characters', () => {
    expect(formatInvalidation({ at: ['é'.repeat(4_000)] })).toBe('*')
  })
})

describe('createInvalidation', () => {
  it.each([
    ['archive', ['drop archive']],
    [
      'edition:11-20-26-10AM times:11-20-26 archive',
      ['drop edition:11-20-26-10AM', 'drop times:11-20-26', 'drop archive'],
    ],
    ['~edition:11-20-26-10AM', ['soon edition:11-20-26-10AM']],
    ['a ~b', ['drop a', 'soon b']],
    ['*', ['clear']],
  ])('applies %j', (payload, calls) => {
    const notifications = createTestNotifications()
    notifications.deliver(payload)
    expect(notifications.calls).toEqual(calls)
  })

  it('tells the caches when the connection is lost and when it is restored', () => {
    const notifications = createTestNotifications()
    notifications.lose()
    notifications.restore()
    expect(notifications.calls).toEqual(['lose', 'restore', 'clear'])
  })
})
