import type { Store } from '../../store/store.ts'
import type { PriceRecord } from './price.ts'

/** The tax on an amount, in minor units. An exclusive one is added to it, an inclusive one is part of it. */
export type Tax = { amount: number; taxable: number; behavior: 'exclusive' | 'inclusive' }

/**
 * Returns the tax on a discounted amount. Stripe computes it from addresses and registrations; here one percentage holds
 * everywhere, 0 by default (https://docs.stripe.com/tax/products-prices-tax-codes-tax-behavior).
 */
export function taxOf(store: Store, { taxBehavior }: Pick<PriceRecord, 'taxBehavior'>, net: number): Tax {
  const rate = store.taxPercent() / 100
  if (taxBehavior !== 'inclusive')
    return { amount: Math.round(net * rate), taxable: net, behavior: 'exclusive' }
  const amount = Math.round(net - net / (1 + rate))
  return { amount, taxable: net - amount, behavior: 'inclusive' }
}
