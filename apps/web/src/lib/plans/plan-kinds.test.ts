import { describe, expect, it } from 'vitest'
import { wirePaidPlan, wirePlanConnection } from '#testing/fake-membership.ts'
import { paidConnection, planKindOf, priceOfKind } from './plan-kinds.ts'

describe('the kind of a plan', () => {
  it.each([
    ['pln_monthly-a1', 'monthly'],
    ['pln_yearly-a1-b2', 'yearly'],
    ['pln_free-a1', null],
    ['monthly', null],
  ])('of %s is %s', (planId, kind) => {
    expect(planKindOf(planId)).toBe(kind)
  })

  it('finds the price that is sold', () => {
    const plans = [wirePaidPlan('yearly', 90), wirePaidPlan('monthly', 9)]
    expect(priceOfKind(plans, 'monthly')?.amount).toBe(9)
    expect(priceOfKind([], 'monthly')).toBeUndefined()
  })

  it('finds the active connection of a member', () => {
    const connection = wirePlanConnection('monthly')
    expect(paidConnection([connection])).toBe(connection)
    expect(paidConnection([{ ...connection, active: false }])).toBeUndefined()
    expect(paidConnection([{ ...connection, planId: 'pln_free-1' }])).toBeUndefined()
  })
})
