import { errors, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { type SigningKeys, tokenAlgorithm } from './signing-keys.ts'

/** The claims of an access token: its session, member and app, and when it expires (milliseconds since 1970). */
export type AccessClaims = { memberId: string; sessionId: string; appId: string; expiresMs: number }

export type AccessTokens = ReturnType<typeof createAccessTokens>

type Deps = { keys: SigningKeys; clock: Clock; issuer: string }

const cachedTokens = 50_000
const maxTokenLength = 2_000

const payloadSchema = z.object({
  sub: z.string(),
  sid: z.uuid(),
  aud: z.string(),
  exp: z.number(),
})

/** Signs and verifies access tokens (RFC 7519, EdDSA). Callers also check that the token's session still exists. */
export function createAccessTokens({ keys, clock, issuer }: Deps) {
  const verified = new LRUCache<string, AccessClaims>({ max: cachedTokens })

  function isExpired({ expiresMs }: AccessClaims): boolean {
    return clock.now().getTime() >= expiresMs
  }

  return {
    async sign({ memberId, sessionId, appId, expiresMs }: AccessClaims): Promise<string> {
      const { current } = await keys.latestRing()
      return await new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: tokenAlgorithm, kid: current.id, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(appId)
        .setSubject(memberId)
        .setIssuedAt(Math.floor(clock.now().getTime() / 1000))
        .setExpirationTime(Math.floor(expiresMs / 1000))
        .sign(current.key)
    },
    /** Returns the claims of a token that this process has verified before; the fast path. */
    peek(token: string): AccessClaims | null {
      const claims = verified.get(token)
      return claims === undefined || isExpired(claims) ? null : claims
    },
    /** Returns the claims of a token; null when it is expired or was not signed here for this site. */
    async verify(token: string): Promise<AccessClaims | null> {
      if (token.length > maxTokenLength) return null
      const { verifying } = await keys.ring()
      try {
        const { payload } = await jwtVerify(
          token,
          ({ kid }) => {
            const key = kid === undefined ? undefined : verifying.get(kid)
            if (key === undefined) throw new errors.JWKSNoMatchingKey()
            return key
          },
          { algorithms: [tokenAlgorithm], issuer, currentDate: clock.now(), typ: 'JWT' },
        )
        const { sub, sid, aud, exp } = payloadSchema.parse(payload)
        const claims = { memberId: sub, sessionId: sid, appId: aud, expiresMs: exp * 1000 }
        verified.set(token, claims)
        return claims
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof z.ZodError) return null
        throw error
      }
    },
  }
}
