import { describe, expect, it } from 'vitest'
import type { Subscription, SubscriptionStatus } from '#integrations/payments/payment-gateway.ts'
import { testInvoice, testPrice, testSubscription } from '#test/factories/subscriptions.ts'
import type { ConnectionState, StoredConnection } from './plan-connections.repository.ts'
import {
  type ConnectionSource,
  chooseRunning,
  compareConnections,
  connectionsOf,
  isRunning,
  missingOf,
} from './plan-connections.ts'

const now = new Date('2026-11-20T17:00:00Z')
const dayMs = 24 * 3_600_000

function daysAgo(days: number): Date {
  return new Date(now.getTime() - days * dayMs)
}

function subscription(changes: Partial<Subscription> = {}): Subscription {
  return testSubscription({
    createdAt: daysAgo(100),
    periodStartsAt: daysAgo(10),
    periodEndsAt: daysAgo(-20),
    latestInvoice: testInvoice({ createdAt: daysAgo(10), paidAt: daysAgo(10) }),
    ...changes,
  })
}

const prices = new Map(
  [
    testPrice('price_monthly', 'pln_monthly'),
    testPrice('price_old', 'pln_monthly'),
    testPrice('price_yearly', 'pln_yearly'),
  ].map((row) => [row.id, row]),
)

function connections(
  subscriptions: Subscription[],
  changes: Partial<ConnectionSource> = {},
): ConnectionState[] {
  return connectionsOf({ subscriptions, prices, now, graceMs: 7 * dayMs, ...changes })
}

describe('connectionsOf', () => {
  it.each<[SubscriptionStatus, boolean | null]>([
    ['incomplete', null],
    ['incomplete_expired', null],
    ['trialing', true],
    ['active', true],
    ['past_due', true],
    ['unpaid', false],
    ['paused', false],
    ['canceled', false],
  ])('makes the plan of a subscription that is %s active: %s', (status, active) => {
    const unpaidSince = status === 'past_due' || status === 'unpaid' ? daysAgo(1) : null
    const found = connections([subscription({ status, unpaidSince })])
    expect(found.map((one) => [one.status, one.active])).toEqual(
      active === null ? [] : [[status.toUpperCase(), active]],
    )
  })

  it('contains the amount and the dates', () => {
    expect(connections([subscription()])).toEqual([
      {
        planId: 'pln_monthly',
        subscriptionId: 'sub_1',
        priceId: 'prc_of_price_monthly',
        status: 'ACTIVE',
        active: true,
        amount: 499,
        currency: 'usd',
        interval: 'monthly',
        lastBilledAt: daysAgo(10),
        periodEndsAt: daysAgo(-20),
        endsAt: null,
        pastDueAt: null,
        nextPriceId: null,
        adjustedBy: null,
      },
    ])
  })

  it.each([
    ['keeps the plan active until just before the grace period ends', 7 * dayMs - 1, true],
    ['closes the plan when the grace period ends', 7 * dayMs, false],
    ['keeps the plan closed after the grace period', 30 * dayMs, false],
  ])('%s', (_name, owedMs, active) => {
    const unpaidSince = new Date(now.getTime() - owedMs)
    const [found] = connections([subscription({ status: 'past_due', unpaidSince })])
    expect(found).toMatchObject({ active, pastDueAt: unpaidSince, status: 'PAST_DUE' })
  })

  it('closes the plan at once without a grace period', () => {
    const owing = subscription({ status: 'past_due', unpaidSince: now })
    expect(connections([owing], { graceMs: 0 })).toMatchObject([{ active: false }])
  })

  it('is past due since the period began when there is no invoice', () => {
    const [found] = connections([subscription({ status: 'past_due', unpaidSince: null })])
    expect(found?.pastDueAt).toEqual(daysAgo(10))
  })

  it('contains the end and no next payment of an ended subscription', () => {
    const ended = subscription({ status: 'canceled', endedAt: daysAgo(2), endsAt: daysAgo(-20) })
    expect(connections([ended])).toMatchObject([{ endsAt: daysAgo(2), periodEndsAt: null }])
  })

  it.each([
    ['another price', 'price_yearly', 'active', 'prc_of_price_yearly'],
    ['the current price', 'price_monthly', 'active', null],
    ['an unknown price', 'price_foreign', 'active', null],
    ['nothing', null, 'active', null],
    ['another price after the end', 'price_yearly', 'canceled', null],
  ] as const)('contains the scheduled price: %s', (_name, nextPriceId, status, expected) => {
    const [found] = connections([subscription({ status, schedule: { id: 'sch_1', nextPriceId } })])
    expect(found?.nextPriceId).toBe(expected)
  })

  it('ignores a subscription to an unknown price', () => {
    expect(connections([subscription({ priceId: 'price_foreign' })])).toEqual([])
  })
})

describe('connectionsOf several subscriptions to one plan', () => {
  const older = subscription({ id: 'sub_older', createdAt: daysAgo(50), priceId: 'price_old' })
  const newer = subscription({ id: 'sub_newer', createdAt: daysAgo(5) })
  const ended = { status: 'canceled', endedAt: daysAgo(1) } as const

  it.each([
    ['the running one when another ended later', [older, { ...newer, ...ended }], 'sub_older'],
    ['the running one when another ended before', [{ ...older, ...ended }, newer], 'sub_newer'],
    ['the older of two paid ones', [older, newer], 'sub_older'],
    [
      'the paid one when an older one is past due',
      [{ ...older, status: 'past_due' as const }, newer],
      'sub_newer',
    ],
    [
      'the newer of two that have ended',
      [
        { ...older, ...ended },
        { ...newer, ...ended },
      ],
      'sub_newer',
    ],
  ])('chooses %s in any order', (_name, subscriptions, expected) => {
    const ids = (list: Subscription[]) => connections(list).map(({ subscriptionId }) => subscriptionId)
    expect(ids(subscriptions)).toEqual([expected])
    expect(ids(subscriptions.toReversed())).toEqual([expected])
  })

  it('returns one connection for each plan', () => {
    const yearly = subscription({ id: 'sub_yearly', priceId: 'price_yearly', ...ended })
    const plans = connections([newer, yearly]).map(({ planId, active }) => [planId, active])
    expect(plans).toEqual([
      ['pln_monthly', true],
      ['pln_yearly', false],
    ])
  })
})

describe('chooseRunning', () => {
  it('returns null when none is running', () => {
    expect(chooseRunning([])).toBeNull()
    expect(
      chooseRunning([subscription({ status: 'canceled' }), subscription({ status: 'incomplete' })]),
    ).toBeNull()
  })

  it('chooses by id between two created in the same second', () => {
    const [one, other] = [subscription({ id: 'sub_a' }), subscription({ id: 'sub_b' })]
    expect(chooseRunning([one, other])).toBe(one)
    expect(chooseRunning([other, one])).toBe(one)
  })

  it.each<[SubscriptionStatus, boolean]>([
    ['incomplete', false],
    ['incomplete_expired', false],
    ['trialing', true],
    ['active', true],
    ['past_due', true],
    ['unpaid', true],
    ['paused', true],
    ['canceled', false],
  ])('considers a subscription that is %s: %s', (status, expected) => {
    expect(isRunning(subscription({ status }))).toBe(expected)
  })
})

describe('missingOf', () => {
  const [wanted] = connections([subscription()])
  if (wanted === undefined) throw new Error('The subscription has no plan.')
  const stored: StoredConnection = {
    id: 'con_1',
    memberId: 'mem_1',
    type: 'subscription',
    createdAt: daysAgo(100),
    ...wanted,
    renewal: null,
    pastDueAt: daysAgo(3),
    nextPriceId: 'prc_2',
  }
  const ended = { planId: 'pln_monthly', status: 'CANCELED', active: false, periodEndsAt: null }

  it('ends the plan of a missing subscription now, with nothing due', () => {
    expect(missingOf([stored], [], [], now)).toMatchObject([
      { ...ended, subscriptionId: 'sub_1', endsAt: now, pastDueAt: null, nextPriceId: null },
    ])
  })

  it('keeps the end of a plan that has already ended', () => {
    const before = { ...stored, status: 'CANCELED', active: false, endsAt: daysAgo(2) }
    expect(missingOf([before], [], [], now)).toMatchObject([{ ...ended, endsAt: daysAgo(2) }])
  })

  it('ignores a plan whose subscription exists or that another one grants', () => {
    expect(missingOf([stored], [subscription({ priceId: 'price_foreign' })], [], now)).toEqual([])
    const other = subscription({ id: 'sub_2' })
    expect(missingOf([stored], [other], connections([other]), now)).toEqual([])
  })
})

describe('compareConnections', () => {
  const [wanted] = connections([subscription()])
  if (wanted === undefined) throw new Error('The subscription has no plan.')
  const stored: StoredConnection = {
    id: 'con_1',
    memberId: 'mem_1',
    type: 'subscription',
    createdAt: daysAgo(100),
    ...wanted,
    renewal: null,
  }

  it('writes nothing when nothing changed', () => {
    expect(compareConnections([stored], [wanted])).toEqual({ removed: [], written: [] })
  })

  it('writes a new plan', () => {
    expect(compareConnections([], [wanted])).toEqual({
      removed: [],
      written: [{ before: null, after: wanted }],
    })
  })

  it('ignores a free plan', () => {
    expect(compareConnections([stored], [])).toEqual({ removed: [stored], written: [] })
  })

  it.each([
    ['subscriptionId', 'sub_2'],
    ['priceId', 'prc_2'],
    ['status', 'PAST_DUE'],
    ['active', false],
    ['amount', 500],
    ['currency', 'eur'],
    ['interval', 'yearly'],
    ['lastBilledAt', now],
    ['periodEndsAt', now],
    ['endsAt', now],
    ['pastDueAt', now],
    ['nextPriceId', 'prc_2'],
  ] as const)('writes a plan whose %s changed', (key, value) => {
    const after: ConnectionState = { ...wanted, [key]: value }
    expect(compareConnections([stored], [after]).written).toEqual([{ before: stored, after }])
  })

  it('keeps the last payment while a later one is due', () => {
    const owing: ConnectionState = { ...wanted, status: 'PAST_DUE', lastBilledAt: null }
    const [written] = compareConnections([stored], [owing]).written
    expect(written?.after.lastBilledAt).toEqual(stored.lastBilledAt)
    expect(compareConnections([{ ...stored, status: 'PAST_DUE' }], [owing]).written).toEqual([])
    const other = { ...owing, subscriptionId: 'sub_2' }
    expect(compareConnections([stored], [other]).written[0]?.after.lastBilledAt).toBeNull()
  })

  it('compares dates by value', () => {
    const after = { ...wanted, periodEndsAt: daysAgo(-20), lastBilledAt: daysAgo(10) }
    expect(compareConnections([stored], [after]).written).toEqual([])
  })
})
