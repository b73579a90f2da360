import type { membershipPaths } from '@tidings/contracts/paths'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import * as z from 'zod/mini'
import { getJson } from '#lib/api-client.ts'

const challengePath: (typeof membershipPaths)['captchaChallenge'] = '/auth/captcha/challenge'

// The signed fields, which the server reads again from the token.
const challengeSchema = z.object({
  parameters: z.object({
    algorithm: z.string(),
    cost: z.number(),
    data: z.object({ expiresAt: z.number() }),
    keyLength: z.number(),
    keyPrefix: z.string(),
    keySignature: z.string(),
    nonce: z.string(),
    salt: z.string(),
  }),
  signature: z.string(),
})

/**
 * Solves a challenge of ALTCHA and returns the token that sign-up sends.
 * @throws {ApiError | NetworkError | Error}
 */
export async function solveAltcha(signal: AbortSignal): Promise<string> {
  const challenge = await getJson(challengePath, challengeSchema, signal)
  const solution = await solveChallenge({ challenge, deriveKey })
  if (solution === null) throw new Error('The captcha was not solved')
  return btoa(JSON.stringify({ challenge, solution }))
}
