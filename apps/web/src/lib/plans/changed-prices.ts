import type { QueryClient } from '@tanstack/react-query'
import { errorCode } from '../api/error-text.ts'
import type { MemberSession } from '../member-session/member-session.ts'
import { appOf, plansOf } from './plans.ts'

const changed = new Set(['price-changed', 'price-no-longer-available'])

/**
 * Runs a call that buys at a shown price. If it fails because that isn't the price any more, reads the plans again, so
 * that the page shows the current ones, and rejects with the error, whose text asks to check them.
 */
export async function buyAtShownPrice<Result>(
  queryClient: QueryClient,
  session: MemberSession,
  call: () => Promise<Result>,
): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (changed.has(errorCode(error))) {
      // Plans are read from the app.
      await queryClient.invalidateQueries(appOf(session))
      await queryClient.invalidateQueries(plansOf(session))
    }
    throw error
  }
}
