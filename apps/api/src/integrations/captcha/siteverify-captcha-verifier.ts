import { z } from 'zod'
import type { Clock } from '#platform/clock.ts'
import { sha256 } from '#platform/ids.ts'
import { CaptchaUnavailableError, type CaptchaVerifier, type ClaimSolution } from './captcha-verifier.ts'

const addresses = {
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  recaptcha: 'https://www.google.com/recaptcha/api/siteverify',
} as const

export type SiteverifyKind = keyof typeof addresses

type Options = {
  kind: SiteverifyKind
  siteKey: string
  secret: string
  /** Replaces the kind's own URL. */
  url?: string
  clock: Clock
  claim: ClaimSolution
}

const timeoutMs = 5000
const tokenCharacters = 10_000
// Longer than the lifetime of any service's tokens.
const claimMinutes = 10
// Errors of our settings or of the service, not of the person.
const faults =
  /^(missing-input-secret|invalid-input-secret|sitekey-secret-mismatch|invalid-keys|internal-error)$/

const replySchema = z.object({
  success: z.boolean(),
  'error-codes': z.array(z.string()).nullish(),
})

/** Creates the verifier of hCaptcha, Turnstile or reCAPTCHA, which verify tokens with the same request. */
export function createSiteverifyCaptchaVerifier({
  kind,
  siteKey,
  secret,
  url = addresses[kind],
  clock,
  claim,
}: Options): CaptchaVerifier {
  return {
    kind,
    siteKey,
    async verify(token, remoteIp) {
      if (token === '' || token.length > tokenCharacters) return false
      const reply = await ask(url, { secret, response: token, remoteip: remoteIp })
      const fault = reply['error-codes']?.find((code) => faults.test(code))
      if (fault !== undefined) throw new CaptchaUnavailableError(fault)
      if (!reply.success) return false
      const expiresAt = new Date(clock.now().getTime() + claimMinutes * 60_000)
      return await claim(sha256(`${kind} ${token}`), expiresAt)
    },
  }
}

async function ask(url: string, fields: Record<string, string>): Promise<z.infer<typeof replySchema>> {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => {
    throw new CaptchaUnavailableError('no response')
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new CaptchaUnavailableError(`status ${response.status}`)
  }
  const reply = replySchema.safeParse(await response.json().catch(() => null))
  if (!reply.success) throw new CaptchaUnavailableError('the response cannot be read')
  return reply.data
}
