import { errors, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { type SigningKeys, tokenAlgorithm } from './signing-keys.ts'

/** What an access token says: whose session it proves, in which app, until when (milliseconds since 1970). */
export type AccessClaims = { memberId: string; sessionId: string; appId: string; expiresMs: number }

export type AccessTokens = {
  sign(claims: AccessClaims): Promise<string>
  /** What a token says, if this process has verified it before and its time is not over; the fast path. */
  peek(token: string): AccessClaims | null
  /** What a token says; null unless it was signed here, for this site, and its time is not over. */
  verify(token: string): Promise<AccessClaims | null>
}

const rememberedTokens = 50_000
const longestToken = 2_000

const payloadSchema = z.object({
  sub: z.string(),
  sid: z.uuid(),
  aud: z.string(),
  exp: z.number(),
})

/**
 * Signs and verifies access tokens (RFC 7519, EdDSA). A token alone proves nothing for long: its session is looked up
 * beside it.
 */
export function createAccessTokens(options: {
  keys: SigningKeys
  clock: Clock
  issuer: string
}): AccessTokens {
  const { keys, clock, issuer } = options
  const verified = new LRUCache<string, AccessClaims>({ max: rememberedTokens })

  function isOver({ expiresMs }: AccessClaims): boolean {
    return clock.now().getTime() >= expiresMs
  }

  return {
    async sign({ memberId, sessionId, appId, expiresMs }) {
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
    peek(token) {
      const claims = verified.get(token)
      return claims === undefined || isOver(claims) ? null : claims
    },
    async verify(token) {
      if (token.length > longestToken) return null
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
