import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser'
import type { PasskeyCreation } from '@tidings/contracts/desk/people/passkeys'

type Options = Pick<PublicKeyCredentialCreationOptionsJSON, 'challenge' | 'rp' | 'user' | 'pubKeyCredParams'>

/** Creates a passkey on this device. Rejects if the person cancels it. */
export async function createPasskey(options: Options): Promise<PasskeyCreation> {
  const { id, rawId, response } = await startRegistration({ optionsJSON: { ...options } })
  const { clientDataJSON, attestationObject, transports } = response
  return { id, rawId, type: 'public-key', response: { clientDataJSON, attestationObject, transports } }
}
