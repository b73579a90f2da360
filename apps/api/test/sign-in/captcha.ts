import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'

/** The fields of an ALTCHA challenge that pages read. */
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

// Pages start at 0; the site's challenges take at least 400 tries.
const counterStart = 400

/** Solves a challenge as a page does. */
export async function solve(made: unknown) {
  const challenge = challengeSchema.parse(made)
  const solution = await solveChallenge({ challenge, deriveKey, counterStart })
  if (!solution) throw new Error('The challenge was not solved')
  return { challenge, solution }
}

/** Encodes a solution as the form's token. */
export function tokenOf(solved: unknown): string {
  return Buffer.from(JSON.stringify(solved)).toString('base64')
}

/** Solves a challenge and returns the form's token. */
export async function solveCaptcha(made: unknown): Promise<string> {
  return tokenOf(await solve(made))
}
