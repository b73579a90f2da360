import { z } from 'zod'
import { networkShares } from '#http/limits/networks.ts'
import type { Source } from '../caller.ts'

/** The tries of a code: of each source, and of those that neither the account knows nor requested it. */
export type TryCounts = { sourceTries: Record<string, number>; tries: number }

/** The tries that one source has with a code, and all unknown sources in an hour with all codes of an address. */
export type TryLimits = { tries: number; triesInAll: number }

type TriedCode = {
  browserHash: string
  networkHash: string
  sourceTries: unknown
  tries: number
  isActive: boolean
}

// However wide a network is, five of its kind are needed to use up the tries of all.
const maxShare = 4
const storedTries = z.record(z.string(), z.number()).catch({})

/** Returns the stored tries of each source. */
export function readTries(sourceTries: unknown): Record<string, number> {
  return storedTries.parse(sourceTries)
}

/**
 * Counts a source's try with a code, if it has one left. A source that the account knows, or that requested the code, has
 * its own tries, so that the tries of others don't lock it out (ADR 0063).
 */
export function countTry(
  code: TriedCode,
  source: Source,
  { tries, triesInAll }: TryLimits,
  others: { lastHour: number; lastDay: number },
): TryCounts & { isAllowed: boolean } {
  const counts = readTries(code.sourceTries)
  const own = ownHash(code, source)
  const isUsedUp = others.lastHour + code.tries >= triesInAll || others.lastDay + code.tries >= 2 * triesInAll
  const counted = (own === null ? [source.network, ...source.widerNetworks] : [own]).map((hash, index) => {
    const limit = tries * Math.min(networkShares[index] ?? 1, maxShare)
    return { hash, limit, count: counts[hash] ?? 0 }
  })
  const isAllowed =
    code.isActive && !(own === null && isUsedUp) && counted.every(({ count, limit }) => count < limit)
  if (!isAllowed) return { sourceTries: counts, tries: code.tries, isAllowed }
  const added = Object.fromEntries(counted.map(({ hash, count }) => [hash, count + 1]))
  return { sourceTries: { ...counts, ...added }, tries: code.tries + (own === null ? 1 : 0), isAllowed }
}

function ownHash(code: TriedCode, source: Source): string | null {
  if (source.isKnown) return source.hash
  if (code.browserHash === source.browser) return source.browser
  return code.networkHash === source.network ? source.network : null
}
