import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'

/** An ALTCHA challenge, as far as pages read it. */
export const challengeSchema = z.object({
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

export type SolvedChallenge = Awaited<ReturnType<typeof solve>>

/** Solves a challenge as a page does. */
export async function solve(made: unknown) {
  const challenge = challengeSchema.parse(made)
  const solution = await solveChallenge({ challenge, deriveKey })
  if (!solution) throw new Error('The challenge was not solved')
  return { challenge, solution }
}

/** What goes with the form for a solved challenge, or for what pretends to be one. */
export function tokenOf(solved: unknown): string {
  return Buffer.from(JSON.stringify(solved)).toString('base64')
}

/** Solves a challenge and answers the token that goes with the form. */
export async function solveCaptcha(made: unknown): Promise<string> {
  return tokenOf(await solve(made))
}
