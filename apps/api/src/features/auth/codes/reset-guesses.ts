import { networkShares } from '#http/limits/networks.ts'

/** The limits of wrong reset codes without an address in an hour: of one network, and of all unknown ones together. */
export type GuessLimits = { perNetwork: number; inAll: number }

type GuessedCode = {
  sourceHash: string
  isSourceKnown: boolean
  networkHash: string
  widerNetworks: string[]
  guesses: number
}

const maxShare = 4

/**
 * Returns the codes that one wrong guess counts for: one for each source that the account knows, and one for the network
 * of the others. So a guess costs the same, however many codes it is compared with.
 */
export function countedCodes<Code extends GuessedCode>(compared: readonly Code[]): Code[] {
  return [...Map.groupBy(compared, budgetOf).values()].flatMap((codes) => codes.slice(0, 1))
}

/** Returns whether one more wrong guess at a code is within the limits, after those of the last hour. */
export function isGuessAllowed(
  code: GuessedCode,
  guessed: readonly GuessedCode[],
  { perNetwork, inAll }: GuessLimits,
): boolean {
  const count = (isCounted: (other: GuessedCode) => boolean) =>
    guessed.filter(isCounted).reduce((sum, { guesses }) => sum + guesses, 0)
  if (code.isSourceKnown) return count((other) => budgetOf(other) === budgetOf(code)) < perNetwork
  const isUnknown = ({ isSourceKnown }: GuessedCode) => !isSourceKnown
  if (count(isUnknown) >= inAll) return false
  return networksOf(code).every((network, index) => {
    const limit = perNetwork * Math.min(networkShares[index] ?? 1, maxShare)
    return count((other) => isUnknown(other) && networksOf(other).includes(network)) < limit
  })
}

function budgetOf({ isSourceKnown, sourceHash, networkHash }: GuessedCode): string {
  return isSourceKnown ? `source ${sourceHash}` : `network ${networkHash}`
}

function networksOf({ networkHash, widerNetworks }: GuessedCode): string[] {
  return [networkHash, ...widerNetworks]
}
