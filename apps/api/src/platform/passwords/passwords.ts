import { availableParallelism } from 'node:os'
import { type Clock, systemClock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { createHasherProcess } from './hasher-process.ts'
import { createDummyHash, type HashCost, isBelow } from './password-hash.ts'
import { createWaitingLine } from './waiting-line.ts'

type Options = HashCost & {
  /** How many are hashed at once; the cores of the machine unless said otherwise. */
  concurrency?: number
  /** How many may wait for their turn. */
  longestLine?: number
  /** How long one may wait for its turn, in milliseconds. */
  patienceMs?: number
  /** The program that hashes: `hasher.ts` among the sources, `hasher.js` beside the bundles. */
  hasherFile: URL | string
  logger: Logger
  clock?: Clock
}

/** Makes and checks the hashes of members' passwords. Passwords are in NFC before they are hashed. */
export type Passwords = {
  /** The hash to keep, a PHC string of argon2id. Rejects with `service-busy` or `service-unavailable`, both 503. */
  hash(password: string): Promise<string>
  /**
   * Whether a password is the one of a hash, and whether that hash should be made anew because it costs less than
   * wanted now. Without a hash (null) the answer is no, after the same work. Rejects as `hash` does.
   */
  verify(hash: string | null, password: string): Promise<{ isRight: boolean; needsRehash: boolean }>
  /** Ends the program that hashes; what is under way is refused. */
  close(): Promise<void>
}

const usualPatienceMs = 5000
const waitingPerTurn = 256

/**
 * Hashes with argon2id in a process of its own and of low priority, so that no flood of logins holds up readers.
 * That process starts at the first password and never keeps this one alive.
 */
export function createPasswords({
  memoryKiB,
  passes,
  concurrency = availableParallelism(),
  longestLine = concurrency * waitingPerTurn,
  patienceMs = usualPatienceMs,
  hasherFile,
  logger,
  clock = systemClock,
}: Options): Passwords {
  const hasher = createHasherProcess({ file: hasherFile, threads: concurrency, logger })
  const inTurn = createWaitingLine({ atOnce: concurrency, longest: longestLine, patienceMs, clock })
  const dummyHash = createDummyHash({ memoryKiB, passes })

  return {
    async hash(password) {
      const task = { kind: 'hash', password: password.normalize('NFC'), memoryKiB, passes } as const
      const hash = await inTurn(() => hasher.run(task))
      if (typeof hash !== 'string') throw new Error('A password could not be hashed')
      return hash
    },

    async verify(hash, password) {
      const task = { kind: 'verify', password: password.normalize('NFC'), hash: hash ?? dummyHash } as const
      const isMatch = await inTurn(() => hasher.run(task))
      if (typeof isMatch !== 'boolean') throw new Error('A stored password hash could not be read')
      const isRight = isMatch && hash !== null
      return { isRight, needsRehash: isRight && hash !== null && isBelow(hash, { memoryKiB, passes }) }
    },

    close: () => hasher.close(),
  }
}
