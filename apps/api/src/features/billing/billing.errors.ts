import type { PlanChangeTerms } from '@tidings/contracts/membership/billing'
import { createFail } from '#platform/errors.ts'

const retryLater = 'Our payment service isn’t responding. Try again in a minute. You won’t be charged twice.'

export const fail = createFail({
  'payments-not-set-up': () => [503, 'You can’t pay on this site yet. Try again later.'],
  'payments-unavailable': (cause: unknown) => [503, retryLater, { headers: { 'Retry-After': '10' }, cause }],
  'configuration-error': (cause: unknown) => [
    500,
    'Payments aren’t working because of a problem on our side. You weren’t charged. Write to us.',
    { cause },
  ],
  'card-declined': (message: string) => [402, message],
  'coupon-not-valid': () => [400, 'This code doesn’t work for this plan. Check it, or continue without one.'],
  'price-no-longer-available': () => [
    400,
    'This price is no longer available. You weren’t charged. Choose one of the current plans.',
  ],
  'no-billing-account': () => [404, 'You don’t have a paid plan to manage yet. Choose one first.'],
  'billing-account-closed': (cause: unknown) => [
    409,
    'Your billing account was closed, so you can’t pay with this account. You weren’t charged. Write to us.',
    { cause },
  ],
  'payment-due': () => [402, 'Your last payment didn’t go through. Pay it on the billing page first.'],
  'plan-canceled': () => [409, 'Your plan is canceled. Resume it on the billing page first, then change it.'],
  'plan-change-under-way': () => [
    409,
    'Your plan is already being changed, perhaps in another window. Check again in a moment.',
  ],
  'price-changed': (terms?: PlanChangeTerms) =>
    terms === undefined
      ? [
          409,
          'The price has changed since you saw it. You weren’t charged. Check the new price and continue.',
        ]
      : [
          409,
          'The price has changed since you saw it. Your plan is the same, and you weren’t charged. Check the new price and confirm again.',
          { details: { terms } },
        ],
  'payments-paused': () => [
    409,
    'Payments for your plan are paused, so it can’t be changed now. Write to us to change it.',
  ],
  'payments-refused': (cause: unknown) => [
    409,
    'We couldn’t complete this with our payment service. You weren’t charged. Try again in a minute. If it keeps failing, write to us.',
    { cause },
  ],
  'plan-change-not-possible': (paid: string, requested: string) => [
    409,
    `You pay in ${paid.toUpperCase()}, but this price is in ${requested.toUpperCase()}. Choose a price in ${paid.toUpperCase()}.`,
  ],
  'domain-not-permitted': (field: string) => [403, `'${field}' must be a page of this site.`],
  'unreadable-event': () => [400, 'The signature is valid, but the body is not a known event.'],
  'invalid-signature': () => [400, 'The signature is missing, invalid or expired.'],
})
