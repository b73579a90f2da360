import { importPKCS8, SignJWT } from 'jose'
import type { ClientAuth } from 'openid-client'
import type { Clock } from '#platform/clock.ts'
import { IdentityUnavailableError } from './identity-provider.ts'

type AppleKey = {
  provider: string
  issuer: string
  teamId: string
  keyId: string
  privateKey: string
  clock: Clock
}

/** Creates Apple's client authentication: a token of five minutes, signed with our key, in place of a fixed secret. */
export function createAppleClientAuth({ provider, issuer, clock, ...apple }: AppleKey): ClientAuth {
  return async (_server, client, body) => {
    const key = await importPKCS8(apple.privateKey, 'ES256').catch(() => {
      throw new IdentityUnavailableError(provider, 'misconfigured', 'private-key')
    })
    const now = Math.floor(clock.now().getTime() / 1_000)
    const secret = await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: apple.keyId })
      .setIssuer(apple.teamId)
      .setSubject(client.client_id)
      .setAudience(issuer)
      .setIssuedAt(now)
      .setExpirationTime(now + 300)
      .sign(key)
    body.set('client_id', client.client_id)
    body.set('client_secret', secret)
  }
}
