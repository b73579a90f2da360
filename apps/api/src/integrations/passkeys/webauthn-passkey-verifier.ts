import {
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import {
  PasskeyRefusedError,
  type PasskeySite,
  type PasskeyVerifier,
  type StoredPasskey,
} from './passkey-verifier.ts'

type Listed = Pick<StoredPasskey, 'credentialId' | 'transports'>

/** EdDSA, ES256 and RS256, which every authenticator has one of. */
const algorithms = [-8, -7, -257]

const transports = ['ble', 'hybrid', 'internal', 'nfc', 'usb'] as const

/** Creates a verifier with SimpleWebAuthn. The person is always verified, by a PIN or biometrics. */
export function createWebauthnPasskeyVerifier({ rpId, origins, name }: PasskeySite): PasskeyVerifier {
  const expected = { expectedOrigin: [...origins], expectedRPID: rpId, requireUserVerification: true }
  return {
    async creationOptions(challenge, owner, known) {
      const options = await generateRegistrationOptions({
        rpID: rpId,
        rpName: name,
        userID: new Uint8Array(Buffer.from(owner.id)),
        userName: owner.email,
        userDisplayName: owner.name,
        challenge: bytesOf(challenge),
        attestationType: 'none',
        supportedAlgorithmIDs: algorithms,
        excludeCredentials: known.map(describe),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      return { ...options, rp: { id: rpId, name } }
    },
    async requestOptions(challenge, known) {
      const options = await generateAuthenticationOptions({
        rpID: rpId,
        challenge: bytesOf(challenge),
        userVerification: 'required',
        ...(known.length > 0 && { allowCredentials: known.map(describe) }),
      })
      return { ...options, rpId }
    },
    async verifyCreation(response, expectedChallenge) {
      const { registrationInfo } = await orRefused(
        verifyRegistrationResponse({
          ...expected,
          expectedChallenge,
          supportedAlgorithmIDs: algorithms,
          response: {
            ...response,
            response: { ...response.response, transports: knownTransports(response.response.transports) },
            clientExtensionResults: {},
          },
        }),
      )
      if (registrationInfo === undefined) throw new PasskeyRefusedError('the attestation is not valid')
      const { id, publicKey, counter } = registrationInfo.credential
      return {
        credentialId: id,
        publicKey,
        counter,
        transports: knownTransports(response.response.transports),
      }
    },
    async verifyAssertion(response, expectedChallenge, { credentialId: id, publicKey, counter }) {
      const { verified, authenticationInfo } = await orRefused(
        verifyAuthenticationResponse({
          ...expected,
          expectedChallenge,
          response: { ...response, clientExtensionResults: {} },
          credential: { id, publicKey, counter },
        }),
      )
      if (!verified) throw new PasskeyRefusedError('the signature is not valid')
      return authenticationInfo.newCounter
    },
  }
}

/** The library rejects a response with an error of no class of its own. */
async function orRefused<T>(verifying: Promise<T>): Promise<T> {
  try {
    return await verifying
  } catch (error) {
    // Quoted parts come from the response.
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('"')
    throw new PasskeyRefusedError(reason.trim(), { cause: error })
  }
}

function describe({ credentialId: id, transports: named }: Listed) {
  return { id, transports: knownTransports(named) }
}

function knownTransports(named: readonly string[] = []): AuthenticatorTransport[] {
  return transports.filter((transport) => named.includes(transport))
}

function bytesOf(challenge: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(challenge, 'base64url'))
}
