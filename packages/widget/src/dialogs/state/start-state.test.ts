import { wireApp, wireMember } from '@tidings/client/testing/wire-samples'
import { expect, it } from 'vitest'
import { startState } from './start-state.ts'

it.each([true, false])(
  'opens with the image alone on a page that has the details (narrow: %s)',
  (isNarrow) => {
    const member = wireMember({ stripeCustomerId: 'cus_ada' })
    const params = { hideAccountDetails: true }
    const state = startState('PROFILE', { app: wireApp(), calls: {}, params, member, isNarrow })
    expect(state).toEqual({ display: 'profile', phase: 'idle', sections: ['profile'], home: 'profile' })
  },
)
