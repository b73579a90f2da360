import { describe, expect } from 'vitest'
import { paymentTest } from '#test/fixtures.ts'
import { changeKinds } from '#test/payment-year/changes.ts'
import { simulateYear, yearSite } from '#test/payment-year/simulate-year.ts'

const it = paymentTest(yearSite)

describe('a year of random changes', () => {
  it('ends with the plans that Stripe has, although most events are lost', async ({ payments }) => {
    const year = await simulateYear(payments, { memberCount: 12, changesPerMonth: 6 })
    expect(year.different).toEqual([])
    expect([...year.counts.keys()].toSorted()).toEqual(changeKinds.toSorted())
    expect(year.statuses).toEqual(
      expect.arrayContaining(['ACTIVE true', 'CANCELED false', 'PAST_DUE true', 'PAST_DUE false']),
    )
    expect(year.disputed).toBeGreaterThan(0)
    expect(year.repaired).toBeGreaterThan(0)
  })
})
