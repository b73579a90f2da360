import { createPublicKey, verify } from 'node:crypto'
import { z } from 'zod'

const claims = z.object({ aud: z.string(), exp: z.number(), sub: z.string().optional() })
export type VapidClaims = z.infer<typeof claims> & { publicKey: string }

const header = z.object({ alg: z.literal('ES256') })
const maxSeconds = 24 * 60 * 60

/** Returns what a sender's `Authorization` header says of it (RFC 8292). Throws if the header is invalid. */
export function readVapid(authorization: string, audience: string, now: Date): VapidClaims {
  const token = /^vapid\b.*\bt=([\w.-]+)/.exec(authorization)?.[1]
  const publicKey = /^vapid\b.*\bk=([\w-]+)/.exec(authorization)?.[1]
  if (token === undefined || publicKey === undefined) throw new Error('It needs a token t and a key k.')
  const [head = '', body = '', signature = ''] = token.split('.')
  header.parse(parsed(head))
  if (!isSigned(`${head}.${body}`, signature, publicKey)) throw new Error('The signature is wrong.')
  const { aud, exp, sub } = claims.parse(parsed(body))
  const seconds = now.getTime() / 1_000
  if (aud !== audience) throw new Error(`The audience must be ${audience}.`)
  if (exp <= seconds) throw new Error('The token has expired.')
  if (exp > seconds + maxSeconds) throw new Error('The token must expire within 24 hours.')
  if (sub !== undefined && !/^(mailto:|https:)/.test(sub)) throw new Error('The subject must be a contact.')
  return { aud, exp, sub, publicKey }
}

function isSigned(text: string, signature: string, publicKey: string): boolean {
  const point = Buffer.from(publicKey, 'base64url')
  if (point.length !== 65) throw new Error('The key must be an uncompressed point.')
  const x = point.toString('base64url', 1, 33)
  const y = point.toString('base64url', 33)
  const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
  return verify(
    'sha256',
    Buffer.from(text),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
}

function parsed(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
}
