import { hasCode } from '#platform/errors.ts'
import type { AuthDeps } from '../auth.deps.ts'
import type { Caller, Source } from '../caller.ts'
import type { CodeBinding } from './code-secrets.ts'
import { hasRequested } from './codes.repository.ts'

type Deps = Pick<AuthDeps, 'database' | 'clock' | 'rateLimits'>

const hourMs = 3_600_000

/** Returns the function that counts guesses at codes with an address, over all accounts (ADR 0063). */
export function createGuessCounter({ database, clock, rateLimits }: Deps) {
  /** Returns whether the source's browser has requested a code of this kind lately, the same for every address. */
  async function isRequester(binding: CodeBinding, { browser }: Source): Promise<boolean> {
    return await hasRequested(database.db, binding, browser, new Date(clock.now().getTime() - hourMs))
  }

  /**
   * Counts a guess and returns a function that refunds it. Throws `too-many-requests` past the limits, beyond which the
   * browsers that have requested a code share some guesses.
   */
  return async function countGuess(
    binding: CodeBinding,
    source: Source,
    caller: Caller,
  ): Promise<() => Promise<void>> {
    try {
      return await rateLimits.countGuess('code', caller.ip)
    } catch (error) {
      if (!hasCode(error, 'too-many-requests') || !(await isRequester(binding, source))) throw error
      const counter = ['wrongCodesOfRequesters', 'all'] as const
      await rateLimits.consume(...counter)
      return () => rateLimits.refund(...counter)
    }
  }
}
