import { describe, expect } from 'vitest'
import { paymentTest } from '../fixtures.ts'
import { simulateYear, yearSite } from './simulate-year.ts'

const it = paymentTest(yearSite)

// Takes minutes, so it runs as a measure of the bench instead of with the tests.
describe('a year of random changes of 1,000 members', () => {
  it('ends with the plans that Stripe has, although most events are lost', async ({ payments }) => {
    const year = await simulateYear(payments, { memberCount: 1_000, changesPerMonth: 120 })
    expect(year.different).toEqual([])
    expect(year.disputed).toBeGreaterThan(100)
    expect(year.repaired).toBeGreaterThan(100)
  })
})
