import type { renewalSchema } from '@tidings/contracts/membership/members'
import type { z } from 'zod'
import { majorUnits } from '#platform/money.ts'

export type WireRenewal = z.infer<typeof renewalSchema>

/** Converts what payments charge from minor to major units. */
export function inMajorUnits({ amounts, ...renewal }: WireRenewal, currency: string): WireRenewal {
  return {
    ...renewal,
    amounts: amounts.map(({ from, amount, tax }) => {
      return { from, amount: majorUnits(amount, currency), tax: majorUnits(tax, currency) }
    }),
  }
}
