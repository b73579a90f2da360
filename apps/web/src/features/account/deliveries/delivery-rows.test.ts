import { expect, it } from 'vitest'
import { deliveryRows, type RecentDelivery } from './delivery-rows.ts'

const now = new Date('2026-11-27T11:00:00-08:00')

type Change = Partial<RecentDelivery>

function delivery(change: Change): RecentDelivery {
  const sent = { edition: '11-27-26-10AM', digest: null, method: 'memo-email', state: 'sent' } as const
  return { ...sent, reason: null, sentAt: '2026-11-27T18:00:20.000Z', dueAt: null, ...change }
}

const text = { method: 'memo-sms', sentAt: null } as const
const pdf = { method: 'pdf-email' } as const
const early = { edition: '11-26-26-8PM', sentAt: '2026-11-27T04:00:00.000Z' }

it.each<[string, Change[]]>([
  ['November 27, 10AM · email', [{}]],
  ['November 27, 10AM · email, PDF', [{ state: 'delivered' }, pdf]],
  // The later one is told first, as the list has it.
  ['November 27, 10AM · email, PDF', [{ ...pdf, sentAt: '2026-11-27T18:40:00.000Z' }, {}]],
  [
    'November 27, 10AM · email, PDF · text at 2 PM',
    [{}, pdf, { ...text, state: 'planned', reason: 'quiet-hours', dueAt: '2026-11-27T22:00:00.000Z' }],
  ],
  [
    'November 27, 10AM · email · text tomorrow at 8:30 AM',
    [{}, { ...text, state: 'planned', reason: 'quiet-hours', dueAt: '2026-11-28T16:30:00.000Z' }],
  ],
  // It was sent after quiet hours.
  [
    'November 26, 8PM · email · text today at 8 AM',
    [
      { ...early, method: 'memo-sms', sentAt: '2026-11-27T16:00:09.000Z' },
      { ...early, state: 'delivered' },
    ],
  ],
  ['November 27, 10AM · text: not sent yet', [{ ...text, state: 'planned' }]],
  [
    'November 27, 10AM · email · text: not sent yet',
    [{}, { ...text, state: 'planned', dueAt: '2026-11-27T18:30:00.000Z' }],
  ],
  [
    'November 27, 10AM · text · email, PDF: came back',
    [
      { method: 'memo-sms' },
      { state: 'bounced', reason: '550 no such user' },
      { ...pdf, state: 'bounced', reason: '550 no such user' },
    ],
  ],
  ['November 27, 10AM · email: not sent (paused)', [{ state: 'suppressed', reason: 'paused', sentAt: null }]],
  ['November 27, 10AM · email: not sent', [{ state: 'suppressed', reason: 'account-deleted', sentAt: null }]],
  ['November 27, 10AM · email: being sent', [{ state: 'sending', sentAt: null }]],
  ['November 27, 10AM · email: could not be sent', [{ state: 'failed', sentAt: null }]],
  ['November 27, 10AM · email: waits for the editors', [{ state: 'held', sentAt: null }]],
  ['November 27, 10AM · email: we can’t tell whether it arrived', [{ state: 'unconfirmed', sentAt: null }]],
  ['November 27, 10AM · PDF, PDF by text', [{ method: 'pdf-sms' }, pdf]],
  [
    'Digest of December 31, 2025 · email',
    [{ edition: null, digest: '12-31-25', method: 'digest', sentAt: '2026-01-01T05:00:00.000Z' }],
  ],
])('%s', (shown, changes) => {
  const rows = deliveryRows(changes.map(delivery), now)
  expect(rows.map(({ title, methods }) => [title, ...methods].join(' · ').replaceAll('\u00A0', ' '))).toEqual(
    [shown],
  )
})

it('has one row an edition, in the order of the deliveries', () => {
  const recent = [{}, pdf, early, { ...early, ...pdf }].map(delivery)
  expect(deliveryRows(recent, now).map(({ id, edition, methods }) => [id, edition, methods])).toEqual([
    ['11-27-26-10AM', '11-27-26-10AM', ['email, PDF']],
    ['11-26-26-8PM', '11-26-26-8PM', ['email, PDF']],
  ])
})
