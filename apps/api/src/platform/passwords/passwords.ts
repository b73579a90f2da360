import { availableParallelism } from 'node:os'
import { type Clock, systemClock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { createHashQueue, type HashSource } from './hash-queue.ts'
import { createHasherProcess } from './hasher-process.ts'
import { createDummyHash, type HashCost, isBelow } from './password-hash.ts'

type Options = HashCost & {
  /** How many passwords are hashed at once; by default one per core. */
  concurrency?: number
  maxQueueLength?: number
  /** How long one may wait in the queue, in milliseconds. */
  queueMs?: number
  /** The program that hashes: `hasher.ts` among the sources, `hasher.js` beside the bundles. */
  hasherFile: URL | string
  logger: Logger
  clock?: Clock
}

export type Passwords = ReturnType<typeof createPasswords>

const defaultQueueMs = 5000
const queuedPerThread = 256

/**
 * Hashes members' passwords, in NFC, with argon2id. A child process does the work behind the readers, so that a flood of
 * logins does not slow them down. It starts at the first password and never keeps this process alive.
 */
export function createPasswords({
  memoryKiB,
  passes,
  concurrency = availableParallelism(),
  maxQueueLength = concurrency * queuedPerThread,
  queueMs = defaultQueueMs,
  hasherFile,
  logger,
  clock = systemClock,
}: Options) {
  const hasher = createHasherProcess({ file: hasherFile, threads: concurrency, logger })
  const enqueue = createHashQueue({ concurrency, maxLength: maxQueueLength, maxWaitMs: queueMs, clock })
  const dummyHash = createDummyHash({ memoryKiB, passes })

  return {
    /** Returns the hash to store, an argon2id PHC string. Rejects with `service-busy` or `service-unavailable`. */
    async hash(password: string, source: HashSource): Promise<string> {
      const task = { kind: 'hash', password: password.normalize('NFC'), memoryKiB, passes } as const
      const hash = await enqueue(source, () => hasher.run(task))
      if (typeof hash !== 'string') throw new Error('A password could not be hashed')
      return hash
    },

    /** Verifies a password; `needsRehash` for a weak hash. Without a hash nothing matches, after the same work. */
    async verify(
      hash: string | null,
      password: string,
      source: HashSource,
    ): Promise<{ isRight: boolean; needsRehash: boolean }> {
      const task = { kind: 'verify', password: password.normalize('NFC'), hash: hash ?? dummyHash } as const
      const isMatch = await enqueue(source, () => hasher.run(task))
      if (typeof isMatch !== 'boolean') throw new Error('A stored password hash could not be read')
      const isRight = isMatch && hash !== null
      return { isRight, needsRehash: isRight && hash !== null && isBelow(hash, { memoryKiB, passes }) }
    },

    /** Ends the child process; rejects what is still running. */
    close: () => hasher.close(),
  }
}
