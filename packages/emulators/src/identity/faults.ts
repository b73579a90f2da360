import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** The faults that the next response of a token endpoint can have. */
export const tokenFaults = [
  'wrong-nonce',
  'wrong-issuer',
  'wrong-audience',
  'wrong-party',
  'expired',
  'from-the-future',
  'altered',
  'unsigned',
  'other-key',
  'unknown-key',
  'without-token',
  'server-error',
  'slow',
] as const

export type TokenFault = (typeof tokenFaults)[number]

export type NextFault<Fault> = {
  /** Returns an error message for an unknown fault. */
  set(fault: unknown): string | undefined
  /** Returns the fault and clears it. */
  take(): Fault | undefined
}

/** Keeps the fault for the next response. */
export function createNextFault<Fault extends string>(faults: readonly Fault[]): NextFault<Fault> {
  let next: Fault | undefined
  return {
    set(fault) {
      next = faults.find((known) => known === fault)
      return next ? undefined : `fault is one of ${faults.join(', ')}.`
    },
    take() {
      const fault = next
      next = undefined
      return fault
    },
  }
}

/** A key that signs ID tokens with ES256. */
export type SigningKey = { id: string; privateKey: KeyObject }

/** Creates a key whose id is its JWK thumbprint (RFC 7638). */
export function createSigningKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { crv, kty, x, y } = privateKey.export({ format: 'jwk' })
  const id = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
  return { id, privateKey }
}

/** Returns an ID token that is invalid in exactly one way. */
export function spoilToken(token: string, fault: TokenFault, key: SigningKey): string {
  const [, payload = '', signature = ''] = token.split('.')
  const claims: Record<string, unknown> = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const issuedAt = Number(claims.iat)
  const header = { alg: 'ES256', typ: 'JWT', kid: key.id }
  const signed = (changes: Record<string, unknown>) => signToken(header, { ...claims, ...changes }, key)
  switch (fault) {
    case 'wrong-nonce':
      return signed({ nonce: 'another' })
    case 'wrong-issuer':
      return signed({ iss: 'https://identity.example' })
    case 'wrong-audience':
      return signed({ aud: 'another-client' })
    case 'wrong-party':
      return signed({ azp: 'another-client' })
    case 'expired':
      return signed({ iat: issuedAt - 7_200, exp: issuedAt - 3_600 })
    case 'from-the-future':
      return signed({ iat: issuedAt + 3_600, exp: issuedAt + 7_200 })
    case 'altered':
      return `${encoded(header)}.${encoded({ ...claims, sub: 'another' })}.${signature}`
    case 'unsigned':
      return `${encoded({ alg: 'none', typ: 'JWT' })}.${payload}.`
    case 'other-key':
      return signToken(header, claims, createSigningKey())
    case 'unknown-key':
      return signToken({ ...header, kid: 'unknown' }, claims, createSigningKey())
    case 'without-token':
    case 'server-error':
    case 'slow':
      return token
  }
}

function signToken(header: object, claims: object, { privateKey }: SigningKey) {
  const content = `${encoded(header)}.${encoded(claims)}`
  const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${content}.${signature.toString('base64url')}`
}

function encoded(part: object) {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
