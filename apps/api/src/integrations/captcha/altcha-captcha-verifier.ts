import { createHmac } from 'node:crypto'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import type { Clock } from '#platform/clock.ts'
import { type Ids, sha256 } from '#platform/ids.ts'
import { parseJson } from '#platform/parse-json.ts'
import type { CaptchaVerifier, ClaimSolution } from './captcha-verifier.ts'

type Options = { secret: string; clock: Clock; ids: Pick<Ids, 'secret'>; claim: ClaimSolution }

const minutes = 10
const tokenCharacters = 4000
// About half a second for one thread of an ordinary computer; a phone shares it among a few.
const difficulty = { algorithm: 'PBKDF2/SHA-256', cost: 5000, tries: { min: 400, max: 800 } } as const

// NOTE: only signed parameters pass; `expiresAt` among them, which is added after signing, doesn't.
const solvedChallenge = z.object({
  challenge: z.object({
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
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
})

/**
 * Creates the verifier of ALTCHA: the page computes for half a second, without another service. Challenges are signed,
 * and expire in ten minutes.
 */
export function createAltchaCaptchaVerifier({ secret, clock, ids, claim }: Options): CaptchaVerifier & {
  challenge(): Promise<object>
} {
  const keyOf = (purpose: string) => createHmac('sha256', secret).update(`altcha ${purpose}`).digest('hex')
  const keys = {
    hmacSignatureSecret: keyOf('challenge'),
    hmacKeySignatureSecret: keyOf('solution'),
  }

  return {
    kind: 'altcha',
    siteKey: null,

    async challenge() {
      const { algorithm, cost } = difficulty
      const expiresAt = Math.floor(clock.now().getTime() / 1000) + minutes * 60
      const { parameters, signature } = await createChallenge({
        algorithm,
        cost,
        counter: triesFrom(ids.secret()),
        deriveKey,
        // The library holds its own expiry against the machine's clock, so ours is signed as data.
        data: { expiresAt },
        ...keys,
      })
      // Pages read here when to request another challenge.
      return { parameters: { ...parameters, expiresAt }, signature }
    },

    async verify(token) {
      const solved = readToken(token)
      if (!solved) return false
      const { verified } = await verifySolution({ ...solved, deriveKey, ...keys })
      const expiresAt = new Date(solved.challenge.parameters.data.expiresAt * 1000)
      if (!verified || expiresAt <= clock.now()) return false
      // One solution has many encodings, but its challenge has one signature.
      return await claim(sha256(`altcha ${solved.challenge.signature}`), expiresAt)
    },
  }
}

/** Returns how many tries the solution takes, from a secret that no page can predict. */
function triesFrom(secret: string): number {
  const { min, max } = difficulty.tries
  return min + (Buffer.from(secret, 'base64url').readUInt32BE() % (max - min + 1))
}

function readToken(token: string): z.infer<typeof solvedChallenge> | null {
  if (token.length > tokenCharacters) return null
  return solvedChallenge.safeParse(parseJson(Buffer.from(token, 'base64').toString())).data ?? null
}
