import type { CardBehavior, PaymentMethodRecord } from '../customer/customer.record.ts'

export type TestCard = Pick<PaymentMethodRecord, 'brand' | 'funding' | 'behavior'> & {
  number: string
  /** The ready-made payment method that stands for it, besides `number`. */
  token: string
}

function card(
  number: string,
  token: string,
  behavior: CardBehavior,
  brand = 'visa',
  funding: 'credit' | 'debit' = 'credit',
) {
  return { number, token, behavior, brand, funding } satisfies TestCard
}

/** The cards of Stripe's test mode that are known here, by what they do. */
const testCards: readonly TestCard[] = [
  card('4242424242424242', 'pm_card_visa', 'succeeds'),
  card('4000056655665556', 'pm_card_visa_debit', 'succeeds', 'visa', 'debit'),
  card('5555555555554444', 'pm_card_mastercard', 'succeeds', 'mastercard'),
  card('378282246310005', 'pm_card_amex', 'succeeds', 'amex'),
  card('4000000000000002', 'pm_card_chargeDeclined', 'declines'),
  card('4000000000009995', 'pm_card_chargeDeclinedInsufficientFunds', 'declines-insufficient-funds'),
  card('4000000000000341', 'pm_card_chargeCustomerFail', 'attaches-then-declines'),
  card('4000002500003155', 'pm_card_authenticationRequiredOnSetup', 'needs-authentication'),
  card('4000002760003184', 'pm_card_authenticationRequired', 'needs-authentication'),
]

/** The card of a number, spaces aside, or of a ready-made payment method. */
export function findTestCard(numberOrToken: string): TestCard | undefined {
  const wanted = numberOrToken.replaceAll(/[\s-]/g, '')
  return testCards.find(({ number, token }) => number === wanted || token === wanted)
}
