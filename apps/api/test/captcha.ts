import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'

const challengeSchema = z.object({
  parameters: z.looseObject({
    algorithm: z.string(),
    nonce: z.string(),
    salt: z.string(),
    cost: z.number(),
    keyLength: z.number(),
    keyPrefix: z.string(),
    expiresAt: z.number(),
  }),
  signature: z.string(),
})

/** Solves an ALTCHA challenge as a page does; answers the token that goes with the form. */
export async function solveCaptcha(made: unknown): Promise<string> {
  const challenge = challengeSchema.parse(made)
  const solution = await solveChallenge({ challenge, deriveKey })
  if (!solution) throw new Error('The challenge was not solved')
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}
