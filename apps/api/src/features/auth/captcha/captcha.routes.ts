import { captchaChallenge } from '@tidings/contracts/membership/auth'
import type { App } from '#http/app-type.ts'
import { neverStored } from '#http/endpoints/access.ts'
import { register } from '#http/endpoints/register.ts'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import type { CaptchaVerifier } from '#integrations/captcha/captcha-verifier.ts'
import { fail } from '../auth.errors.ts'

type Deps = { captcha: CaptchaVerifier | null; rateLimits: RateLimits }

/** Registers the challenges of ALTCHA, whose script requests them without an app key. */
export function registerCaptchaRoutes(app: App, { captcha, rateLimits }: Deps): void {
  register(app, captchaChallenge, async (request, reply) => {
    neverStored(reply)
    await rateLimits.consume('captchaChallenges', request.ip)
    const challenge = await captcha?.challenge?.()
    if (challenge === undefined) throw fail('not-found')
    return { ...challenge }
  })
}
