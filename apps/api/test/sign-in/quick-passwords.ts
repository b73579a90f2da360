import { argon2id, hash, verify } from 'argon2'
import { createDummyHash, type HashCost, isBelow } from '#platform/passwords/password-hash.ts'
import type { Passwords } from '#platform/passwords/passwords.ts'

/** Hashes in the test's own process, because the site's low-priority hasher takes seconds on a busy machine. */
export function createQuickPasswords(cost: HashCost): Passwords {
  const dummyHash = createDummyHash(cost)
  return {
    hash: (password) =>
      hash(password.normalize('NFC'), {
        type: argon2id,
        memoryCost: cost.memoryKiB,
        timeCost: cost.passes,
        parallelism: 1,
      }),
    async verify(stored, password) {
      const isMatch = await verify(stored ?? dummyHash, password.normalize('NFC'))
      const isRight = isMatch && stored !== null
      return { isRight, needsRehash: isRight && isBelow(stored, cost) }
    },
    close: async () => {},
  }
}
