import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { PasskeyAssertion, PasskeyCreation } from '@tidings/contracts/desk/people/passkeys'
import { randomIds } from '#platform/ids.ts'

/** The work of a browser and an authenticator, with what a test lets them do wrong. */
export type Ceremony = {
  origin: string
  rpId: string
  /** The counter that the authenticator states; by default, the next one. */
  counter?: number
  /** Whether the person was verified by a PIN or biometrics. */
  isVerified?: boolean
}

const flags = { userPresent: 0x01, userVerified: 0x04, attested: 0x40 }

export type Authenticator = ReturnType<typeof createAuthenticator>

/** Creates a software authenticator with one ES256 passkey. */
export function createAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomIds.secret()
  let uses = 0

  function dataFor({ rpId, counter, isVerified = true }: Ceremony, extra: number): Buffer {
    uses = counter ?? uses + 1
    const head = Buffer.alloc(37)
    createHash('sha256').update(rpId).digest().copy(head)
    head.writeUInt8(flags.userPresent | (isVerified ? flags.userVerified : 0) | extra, 32)
    head.writeUInt32BE(uses, 33)
    return head
  }

  return {
    id,
    /** Creates the passkey, as `navigator.credentials.create` does. */
    create(challenge: string, ceremony: Ceremony): PasskeyCreation {
      const credentialId = Buffer.from(id, 'base64url')
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const aaguid = Buffer.alloc(16)
      const data = Buffer.concat([
        dataFor(ceremony, flags.attested),
        aaguid,
        length,
        credentialId,
        coseKeyOf(publicKey),
      ])
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, ceremony.origin).toString('base64url'),
          attestationObject: attestationOf(data).toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    /** Signs in, as `navigator.credentials.get` does. */
    sign(challenge: string, ceremony: Ceremony): PasskeyAssertion {
      const data = dataFor(ceremony, 0)
      const client = clientData('webauthn.get', challenge, ceremony.origin)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: createSign('sha256').update(signed).sign(privateKey).toString('base64url'),
        },
      }
    },
  }
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

// CBOR (RFC 8949): a short text has 0x60 and its length before it, a byte string 0x58 and its length.
function textOf(text: string): Buffer {
  return Buffer.from([0x60 + text.length, ...Buffer.from(text)])
}

function bytesOf(bytes: Buffer): Buffer {
  return Buffer.from([0x58, bytes.length, ...bytes])
}

/** Returns the key in COSE (RFC 9053): kty 2 (EC2), alg -7 (ES256), crv 1 (P-256), x and y. */
function coseKeyOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const [left, right] = [x, y].map((part) => bytesOf(Buffer.from(part, 'base64url')))
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    left ?? Buffer.alloc(0),
    Buffer.from([0x22]),
    right ?? Buffer.alloc(0),
  ])
}

/** Returns the attestation object of the format `none`. */
function attestationOf(data: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from([0xa3]),
    ...[textOf('fmt'), textOf('none')],
    ...[textOf('attStmt'), Buffer.from([0xa0])],
    ...[textOf('authData'), bytesOf(data)],
  ])
}
