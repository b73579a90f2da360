import { createFail } from '#platform/errors.ts'

export const fail = createFail({
  'plan-not-found': () => [404, 'This plan does not exist.'],
  'plan-not-free': (change: 'add' | 'remove') => [
    400,
    change === 'add'
      ? 'This plan is not free. Subscribe to it through checkout.'
      : 'This plan is not free. Cancel it in your billing settings.',
  ],
  'plan-restricted-to-admin': () => [403, 'This plan is by invitation only. Please contact us to get it.'],
  'plan-member-limit-reached': () => [409, 'This plan is full.'],
  'already-have-plan': () => [409, 'You already have this plan.'],
  'no-plan-found': () => [404, 'You do not have this plan.'],
})
