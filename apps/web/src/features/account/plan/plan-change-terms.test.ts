import { wirePlanChange } from '@tidings/client/testing/wire-samples'
import type { PlanChangeTerms } from '@tidings/contracts/membership/billing'
import { describe, expect, it } from 'vitest'
import { summarizeChange } from './plan-change-terms.ts'

const { from, to } = wirePlanChange
const downgrade: Partial<PlanChangeTerms> = {
  from: to,
  to: from,
  effective: 'period-end',
  effectiveAt: '2027-11-20T18:00:00.000Z',
  amountDue: 0,
  renewalAmount: 9,
  regularAmount: 9,
  renewal: {
    interval: 'MONTHLY',
    taxBehavior: null,
    amounts: [{ from: '2027-11-20T18:00:00.000Z', amount: 9, tax: 0 }],
  },
}

describe('the summary of a plan change', () => {
  it.each<[string, Partial<PlanChangeTerms>, string, [string, string][]]>([
    [
      'an upgrade',
      {},
      'Yearly starts today instead of Monthly. Your unused Monthly time is credited.',
      [
        ['Charged today', '$85.50'],
        ['Each renewal', '$90.00 a year'],
      ],
    ],
    [
      'a downgrade',
      downgrade,
      'You keep Yearly until November 20, 2027. Then Monthly starts.',
      [
        ['Charged today', 'Nothing'],
        ['From November 20, 2027', '$9.00 a month'],
      ],
    ],
    [
      'an upgrade in another currency with tax and a discount that ends',
      {
        currency: 'eur',
        amountDue: 90,
        renewalAmount: 88,
        renewal: {
          interval: 'YEARLY',
          taxBehavior: 'exclusive',
          amounts: [
            { from: '2027-11-20T18:00:00.000Z', amount: 88, tax: 8 },
            { from: '2029-11-20T18:00:00.000Z', amount: 99, tax: 9 },
          ],
        },
      },
      'Yearly starts today instead of Monthly.',
      [
        ['Charged today', '€90.00'],
        ['Each renewal', '€80.00 a year until November 20, 2029, then €90.00 a year, plus tax'],
        ['Next payment', '€88.00'],
      ],
    ],
    [
      'an upgrade from an API that gives no days',
      { renewal: undefined },
      'Yearly starts today instead of Monthly. Your unused Monthly time is credited.',
      [
        ['Charged today', '$85.50'],
        ['Each renewal', '$90.00 a year'],
      ],
    ],
    [
      'a dropped downgrade',
      { from: to, amountDue: 0 },
      'You stay on Yearly. The planned change is dropped.',
      [
        ['Charged today', 'Nothing'],
        ['Each renewal', '$90.00 a year'],
      ],
    ],
  ])('of %s', (_, terms, sentence, amounts) => {
    const summary = summarizeChange({ ...wirePlanChange, ...terms }, 'America/Los_Angeles')
    expect(summary).toEqual({ sentence, amounts })
  })
})
