import type { Config } from '#config/config.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/database.ts'
import { equalInConstantTime } from '#platform/signing.ts'
import type { Source } from '../caller.ts'
import type { CodeBinding } from './code-secrets.ts'
import { countTry, readTries } from './code-tries.ts'
import { type CodeRow, countOtherTries, lockNewest, storeTries } from './codes.repository.ts'

type Deps = { clock: Clock; codeLimits: Config['codeLimits'] }

/** Returns the function that takes tries with codes. */
export function createTryTaker({ clock, codeLimits }: Deps) {
  /**
   * Takes a try with the newest code of an address; concurrent tries are counted exactly. Null if none is left. The hash of
   * the right digits costs none: a form may ask again for what it requires besides.
   */
  return async function takeTry(
    tx: Db,
    binding: CodeBinding,
    source: Source,
    given: string | null = null,
  ): Promise<CodeRow | null> {
    const now = clock.now()
    const code = await lockNewest(tx, binding, now)
    if (code === null) return null
    const others = await countOtherTries(tx, code, now)
    const isActive = code.usedAt === null && code.expiresAt > now
    const { isAllowed, ...counts } = countTry({ ...code, isActive }, source, codeLimits, others)
    const before = readTries(code.sourceTries)
    const isFree = isAllowed && given !== null && isHashOf(code, given)
    // Written in any case, so that each try takes as long.
    await storeTries(tx, code.id, isFree ? { sourceTries: before, tries: code.tries } : counts)
    return isAllowed ? code : null
  }
}

/** Returns whether a code has the digits of this hash. */
export function isHashOf({ codeHash }: CodeRow, given: string): boolean {
  return codeHash !== null && equalInConstantTime(given, codeHash)
}
