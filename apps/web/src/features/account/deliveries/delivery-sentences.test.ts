import type { MemberDeliveries } from '@tidings/contracts/membership/deliveries'
import { describe, expect, it } from 'vitest'
import { nextDeliveryText } from './delivery-sentences.ts'

const now = new Date('2026-11-20T20:30:00-08:00')

function deliveries(change: Partial<MemberDeliveries>): MemberDeliveries {
  return { next: null, obstacle: null, pausedUntil: null, pdfFormat: 'phone', recent: [], ...change }
}

describe('the next delivery', () => {
  it.each([
    [
      { next: { method: 'memo-email', at: '2026-11-21T18:00:00.000Z' } },
      'The next edition comes by email tomorrow at 10:00 AM.',
    ],
    [
      { next: { method: 'digest', at: '2026-11-21T05:00:00.000Z' } },
      'The evening digest comes by email today at 9:00 PM.',
    ],
    [
      { next: { method: 'memo-email', at: '2026-11-23T18:00:00.000Z' } },
      'The next edition comes by email on November 23 at 10:00 AM.',
    ],
    [
      { nextNotification: { at: '2026-11-21T18:00:00.000Z' } },
      'The next edition comes as a notification tomorrow at 10:00 AM.',
    ],
    [
      {
        next: { method: 'memo-email', at: '2026-11-21T18:00:00.000Z' },
        nextNotification: { at: '2026-11-21T18:00:00.000Z' },
      },
      'The next edition comes by email and as a notification tomorrow at 10:00 AM.',
    ],
    [
      {
        next: { method: 'digest', at: '2026-11-21T05:00:00.000Z' },
        nextNotification: { at: '2026-11-21T18:00:00.000Z' },
      },
      'The next edition comes as a notification tomorrow at 10:00 AM. The evening digest comes by email today at 9:00 PM.',
    ],
    [
      { obstacle: 'unverified', nextNotification: { at: '2026-11-21T18:00:00.000Z' } },
      'The next edition comes as a notification tomorrow at 10:00 AM. Nothing else is sent until your email address or phone number is confirmed.',
    ],
    [
      { obstacle: 'paused', pausedUntil: '2027-01-02' },
      'Deliveries are paused. They continue on January 2, 2027.',
    ],
    [{ obstacle: 'unverified' }, 'Nothing is sent until your email address or phone number is confirmed.'],
    [{ obstacle: 'no-method' }, 'Nothing is sent to you. Choose below how editions reach you.'],
  ] as const)('of %j is told on the reader’s clock', (change, text) => {
    expect(nextDeliveryText(deliveries(change), now).replaceAll('\u00A0', ' ')).toBe(text)
  })
})
