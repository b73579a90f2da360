import { describe, expect, it } from 'vitest'
import { type AccessRule, grantsOf, isOpen } from './content-access.ts'

const open: AccessRule = { permissions: [], plans: [] }

function requires(rule: Partial<AccessRule>): AccessRule {
  return { ...open, ...rule }
}

function has(permissions: string[], plans: string[]) {
  return { permissions: new Set(permissions), plans: new Set(plans) }
}

describe('isOpen', () => {
  it.each([
    { what: 'two empty lists', rule: open, held: has([], []), expected: true },
    { what: 'two empty lists', rule: open, held: has(['paid'], ['pln_a']), expected: true },

    {
      what: 'a permission',
      rule: requires({ permissions: ['paid'] }),
      held: has(['paid'], []),
      expected: true,
    },
    { what: 'a permission', rule: requires({ permissions: ['paid'] }), held: has([], []), expected: false },
    {
      what: 'a permission',
      rule: requires({ permissions: ['paid'] }),
      held: has(['Paid'], []),
      expected: false,
    },
    {
      what: 'a permission',
      rule: requires({ permissions: ['paid'] }),
      held: has([], ['paid']),
      expected: false,
    },
    {
      what: 'any of two permissions',
      rule: requires({ permissions: ['press', 'paid'] }),
      held: has(['paid', 'more'], []),
      expected: true,
    },
    {
      what: 'any of two permissions',
      rule: requires({ permissions: ['press', 'paid'] }),
      held: has(['more'], []),
      expected: false,
    },

    { what: 'a plan', rule: requires({ plans: ['pln_a'] }), held: has([], ['pln_a']), expected: true },
    { what: 'a plan', rule: requires({ plans: ['pln_a'] }), held: has([], ['pln_b']), expected: false },
    { what: 'a plan', rule: requires({ plans: ['pln_a'] }), held: has(['pln_a'], []), expected: false },
    {
      what: 'any of two plans',
      rule: requires({ plans: ['pln_a', 'pln_b'] }),
      held: has([], ['pln_b']),
      expected: true,
    },
    {
      what: 'any of two plans',
      rule: requires({ plans: ['pln_a', 'pln_b'] }),
      held: has(['x'], []),
      expected: false,
    },

    {
      what: 'a permission and a plan',
      rule: { permissions: ['paid'], plans: ['pln_a'] },
      held: has(['paid'], ['pln_a']),
      expected: true,
    },
    {
      what: 'a permission and a plan',
      rule: { permissions: ['paid'], plans: ['pln_a'] },
      held: has(['paid'], ['pln_b']),
      expected: false,
    },
    {
      what: 'a permission and a plan',
      rule: { permissions: ['paid'], plans: ['pln_a'] },
      held: has([], ['pln_a']),
      expected: false,
    },
  ])('returns $expected for a rule of $what and a member with $held', ({ rule, held, expected }) => {
    expect(isOpen([rule], held)).toBe(expected)
  })

  it.each([
    { what: 'no rule', rules: [], expected: true },
    {
      what: 'two rules that hold',
      rules: [requires({ plans: ['pln_a'] }), requires({ permissions: ['paid'] })],
      expected: true,
    },
    {
      what: 'a second rule that does not hold',
      rules: [requires({ plans: ['pln_a'] }), requires({ plans: ['pln_b'] })],
      expected: false,
    },
    {
      what: 'a first rule that does not hold',
      rules: [requires({ permissions: ['press'] }), requires({ plans: ['pln_a'] })],
      expected: false,
    },
    // The plan of one rule and the permission of the other do not add up.
    {
      what: 'two rules that each half hold',
      rules: [
        { permissions: ['paid'], plans: ['pln_b'] },
        { permissions: ['press'], plans: ['pln_a'] },
      ],
      expected: false,
    },
  ])('returns $expected for $what', ({ rules, expected }) => {
    expect(isOpen(rules, has(['paid'], ['pln_a']))).toBe(expected)
  })
})

describe('grantsOf', () => {
  const plan = { name: 'A', description: null, status: 'ACTIVE', priority: null, memberLimit: null } as const
  const plansById = new Map(
    Object.entries({ pln_a: ['paid', 'press'], pln_b: ['paid'], pln_free: [] }).map(([id, permissions]) => [
      id,
      { ...plan, id, permissions, restrictToAdmin: false, delivers: false, prices: [] },
    ]),
  )

  it.each([
    { planIds: [], permissions: [] },
    { planIds: ['pln_free'], permissions: [] },
    { planIds: ['pln_b'], permissions: ['paid'] },
    { planIds: ['pln_a', 'pln_b', 'pln_free'], permissions: ['paid', 'press'] },
    { planIds: ['pln_gone'], permissions: [] },
  ])('returns the plans $planIds and their permissions $permissions', ({ planIds, permissions }) => {
    expect(grantsOf(planIds, { plansById })).toEqual(has(permissions, planIds))
  })
})
