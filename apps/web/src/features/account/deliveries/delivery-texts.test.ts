import type { MemberDeliveries } from '@tidings/contracts/deliveries'
import { describe, expect, it } from 'vitest'
import { deliveryState, deliveryTitle, nextDeliveryText, type RecentDelivery } from './delivery-texts.ts'

const now = new Date('2026-11-20T20:30:00-08:00')

function deliveries(change: Partial<MemberDeliveries>): MemberDeliveries {
  return { next: null, obstacle: null, pausedUntil: null, pdfFormat: 'phone', recent: [], ...change }
}

function recent(change: Partial<RecentDelivery>): RecentDelivery {
  const sent = { edition: '11-20-26-3PM', digest: null, method: 'memo-email', state: 'sent' } as const
  return { ...sent, reason: null, sentAt: null, ...change }
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
      { obstacle: 'paused', pausedUntil: '2027-01-02' },
      'Deliveries are paused. They continue on January 2, 2027.',
    ],
    [{ obstacle: 'unverified' }, 'Nothing is sent until your email address or phone number is confirmed.'],
    [{ obstacle: 'no-method' }, 'Nothing is sent to you. Choose above how editions reach you.'],
  ] as const)('of %j is told on the reader’s clock', (change, text) => {
    expect(nextDeliveryText(deliveries(change), now).replace('\u00A0', ' ')).toBe(text)
  })
})

describe('a delivery', () => {
  it.each([
    [{}, 'November 20, 3PM', 'Sent by email'],
    [
      { edition: null, digest: '12-31-25', method: 'digest', state: 'bounced' },
      'Digest of December 31, 2025',
      'It came back',
    ],
    [{ state: 'unconfirmed' }, 'November 20, 3PM', 'We can’t tell whether it arrived'],
  ] as const)('of %j has a title and a state', (change, title, state) => {
    expect(deliveryTitle(recent(change), now)).toBe(title)
    expect(deliveryState(recent(change))).toBe(state)
  })
})
