import type { PasskeyAssertion, PasskeyCreation } from '@tidings/contracts/desk/people/passkeys'

/** A passkey as it is stored. */
export type StoredPasskey = {
  credentialId: string
  publicKey: Uint8Array<ArrayBuffer>
  /** How often the authenticator says that it was used; 0 if it doesn't count. */
  counter: number
  transports: readonly string[]
}

/** The pages that may use the passkeys of the site. */
export type PasskeySite = { rpId: string; origins: readonly string[]; name: string }

export type PasskeyOwner = { id: string; email: string; name: string }

/** A response that proves nothing: of another site, replayed, without the person's verification, or forged. */
export class PasskeyRefusedError extends Error {
  override name = 'PasskeyRefusedError'
}

/** The options of a new passkey, as far as browsers need them; more may come. */
export type CreationOptions = {
  challenge: string
  rp: { id: string; name: string }
  user: { id: string; name: string; displayName: string }
  pubKeyCredParams: { alg: number; type: 'public-key' }[]
}

/** Makes the options of WebAuthn and verifies what authenticators respond. A challenge is in base64url. */
export type PasskeyVerifier = {
  creationOptions(
    challenge: string,
    owner: PasskeyOwner,
    known: readonly Pick<StoredPasskey, 'credentialId' | 'transports'>[],
  ): Promise<CreationOptions>
  requestOptions(
    challenge: string,
    known: readonly Pick<StoredPasskey, 'credentialId' | 'transports'>[],
  ): Promise<{ challenge: string; rpId: string }>
  /** Returns the new passkey. Throws {@link PasskeyRefusedError}. */
  verifyCreation(response: PasskeyCreation, challenge: string): Promise<StoredPasskey>
  /** Returns the new counter. Throws {@link PasskeyRefusedError}. */
  verifyAssertion(response: PasskeyAssertion, challenge: string, passkey: StoredPasskey): Promise<number>
}

/** Returns the challenge that a response names; null if it names none. */
export function challengeOf({ response }: PasskeyCreation | PasskeyAssertion): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'))
    const challenge = typeof data === 'object' && data !== null && 'challenge' in data ? data.challenge : null
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}
