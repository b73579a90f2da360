import type { PasskeyAssertion, PasskeyCreation } from '@tidings/contracts/desk/people/passkeys'
import {
  challengeOf,
  type PasskeyOwner,
  PasskeyRefusedError,
  type StoredPasskey,
} from '#integrations/passkeys/passkey-verifier.ts'
import type { Db } from '#platform/database.ts'
import type { PeopleDeps } from '../people.deps.ts'
import { fail } from '../people.errors.ts'
import { claimChallenge, storeChallenge } from './challenges.repository.ts'
import {
  countPasskeys,
  findPasskey,
  listPasskeys,
  type PasskeyRow,
  recordPasskeyUse,
} from './passkeys.repository.ts'

type Deps = Pick<PeopleDeps, 'database' | 'clock' | 'ids' | 'logger' | 'verifier' | 'deskSite'>

/** The use of a response, and whose it is. A challenge of one purpose serves no other. */
export type Purpose = 'sign-in' | `${'invitation' | 'passkey' | 'proof'} ${string}`

export type PasskeyService = ReturnType<typeof createPasskeyService>

const challengeMs = 5 * 60_000

/** Issues challenges, and verifies new passkeys and proofs by known ones. Each challenge works once. */
export function createPasskeyService({ database, clock, ids, logger, verifier, deskSite }: Deps) {
  async function issue(purpose: Purpose): Promise<string> {
    if (!deskSite.hasPasskeys) throw fail('passkeys-unavailable')
    const challenge = ids.secret()
    const expiresAt = new Date(clock.now().getTime() + challengeMs)
    await storeChallenge(database.db, { challenge, purpose, expiresAt })
    return challenge
  }

  async function claim(purpose: Purpose, response: PasskeyCreation | PasskeyAssertion): Promise<string> {
    const challenge = challengeOf(response)
    const isClaimed =
      challenge !== null && (await claimChallenge(database.db, { challenge, purpose, now: clock.now() }))
    if (!isClaimed) throw fail('passkey-refused')
    return challenge
  }

  async function orRefused<T>(verifying: Promise<T>): Promise<T> {
    try {
      return await verifying
    } catch (error) {
      if (!(error instanceof PasskeyRefusedError)) throw error
      logger.warn({ reason: error.message }, 'passkey refused')
      throw fail('passkey-refused', error)
    }
  }

  return {
    async creationOptions(purpose: Purpose, owner: PasskeyOwner) {
      const known = await listPasskeys(database.db, owner.id)
      return await verifier.creationOptions(await issue(purpose), owner, known)
    },

    /** Returns options for the passkeys of a person, or for any passkey of this site. */
    async requestOptions(purpose: Purpose, personId: string | null) {
      const known = personId === null ? [] : await listPasskeys(database.db, personId)
      return await verifier.requestOptions(await issue(purpose), known)
    },

    /** Returns a new passkey, which the caller stores. Throws `passkey-refused`. */
    async verifyNew(purpose: Purpose, response: PasskeyCreation): Promise<StoredPasskey> {
      const challenge = await claim(purpose, response)
      const passkey = await orRefused(verifier.verifyCreation(response, challenge))
      if ((await findPasskey(database.db, passkey.credentialId)) !== null) throw fail('passkey-refused')
      return passkey
    },

    /** Returns the known passkey that signed a response. Throws `passkey-refused`. */
    async verify(purpose: Purpose, response: PasskeyAssertion): Promise<PasskeyRow> {
      const challenge = await claim(purpose, response)
      const row = await findPasskey(database.db, response.id)
      if (row === null) throw fail('passkey-refused')
      const known = { ...row, counter: Number(row.counter) }
      const counter = await orRefused(verifier.verifyAssertion(response, challenge, known))
      if (!(await recordPasskeyUse(database.db, row, { counter, now: clock.now() }))) {
        throw fail('passkey-refused')
      }
      return row
    },

    /** Returns how a person proves that it is them: by link only where they have no passkey. */
    async proofOf(db: Db, personId: string): Promise<'passkey' | 'link'> {
      return deskSite.hasPasskeys && (await countPasskeys(db, personId)) > 0 ? 'passkey' : 'link'
    },
  }
}
