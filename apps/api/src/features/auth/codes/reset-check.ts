import { findCode } from '@tidings/contracts/membership/typed-text'
import type { Config } from '#config/config.ts'
import { tooManyRequests } from '#http/limits/rate-limits.ts'
import type { Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { AuthDeps } from '../auth.deps.ts'
import type { Caller, KnownSources } from '../caller.ts'
import type { CodeSecrets } from './code-secrets.ts'
import { addGuess, type CodeRow, listActiveResets, listGuessed, lockCount } from './codes.repository.ts'
import { countedCodes, isGuessAllowed } from './reset-guesses.ts'
import { createTryTaker } from './taken-tries.ts'

export type ResetCheckDeps = Pick<AuthDeps, 'database' | 'clock'> & {
  sources: KnownSources
  secrets: CodeSecrets
  codeLimits: Config['codeLimits']
}

/** A code whose digits were right, to be claimed in the transaction of what it allows. */
export type RightCode = { id: string; email: string }

const hourMs = 3_600_000

/** Returns the function that checks reset codes, which are entered without their address. */
export function createResetCheck(deps: ResetCheckDeps) {
  const { database, clock, sources, secrets, codeLimits } = deps
  const takeTry = createTryTaker(deps)

  /** Returns the reset codes that a guess without an address is compared with, one for each address. */
  async function listCompared(tx: Db, appId: string, caller: Caller): Promise<CodeRow[]> {
    const { browser: browserHash, network: networkHash } = sources.hashesOf(caller)
    const ofBrowser = await listActiveResets(tx, { appId, browserHash }, clock.now())
    if (ofBrowser.length > 0) return ofBrowser
    return await listActiveResets(tx, { appId, networkHash }, clock.now())
  }

  /**
   * Takes a try with the code of these digits among those compared. Another guess counts for the requesters of these
   * codes. Returns 'refused' once their guesses are used up.
   */
  async function guessReset(
    tx: Db,
    compared: CodeRow[],
    wanted: { appId: string; lookupHash: string },
    caller: Caller,
  ): Promise<RightCode | 'wrong' | 'refused'> {
    const found = compared.find((code) => code.lookupHash === wanted.lookupHash)
    const guessed = await listGuessed(tx, wanted.appId, new Date(clock.now().getTime() - hourMs))
    const limits = {
      perNetwork: codeLimits.networkResetGuessesPerHour,
      inAll: codeLimits.resetGuessesPerHour,
    }
    if (found !== undefined && isGuessAllowed(found, guessed, limits)) {
      const taken = await takeTry(tx, found, await sources.find(tx, found, caller))
      if (taken?.id === found.id) return { id: found.id, email: found.email }
    }
    // A right guess that isn't accepted counts like a wrong one, or the counts would show which it was.
    const counted = countedCodes(compared)
    const allowed = counted.filter((code) => isGuessAllowed(code, guessed, limits))
    await addGuess(tx, allowed, clock.now())
    return allowed.length < counted.length ? 'refused' : 'wrong'
  }

  /**
   * Returns the reset code with these digits among those requested from the caller's browser or, without any, network.
   * Throws `too-many-requests` once the wrong guesses of the network or the app are used up (ADR 0063).
   */
  return async function checkReset(
    app: MembershipApp,
    text: string,
    caller: Caller,
  ): Promise<RightCode | null> {
    const wanted = { appId: app.id, lookupHash: secrets.lookupHash(app.id, findCode(text) ?? '') }
    const result = await database.transaction(async (tx) => {
      await lockCount(tx, `guesses of reset codes ${app.id}`)
      return await guessReset(tx, await listCompared(tx, app.id, caller), wanted, caller)
    })
    if (result === 'refused') throw tooManyRequests(hourMs / 1000)
    return result === 'wrong' ? null : result
  }
}
