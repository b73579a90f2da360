import { createFail } from '#platform/errors.ts'

export const fail = createFail({
  'plan-not-found': () => [404, 'This plan doesn’t exist anymore. Choose one of the current plans.'],
  'plan-not-free': (change: 'add' | 'remove') => [
    400,
    change === 'add'
      ? 'This plan isn’t free. Pay for it at the checkout.'
      : 'This plan isn’t free. Cancel it on the billing page.',
  ],
  'plan-restricted-to-admin': () => [403, 'This plan is by invitation only. Write to us to get it.'],
  'plan-member-limit-reached': () => [409, 'This plan is full. Choose another one.'],
  'already-have-plan': () => [409, 'You already have this plan.'],
  'no-plan-found': () => [404, 'You don’t have this plan.'],
})
