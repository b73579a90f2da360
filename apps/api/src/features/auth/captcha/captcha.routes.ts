import { captchaChallengeReply } from '@tidings/contracts/membership/auth'
import { membershipPaths } from '@tidings/contracts/paths'
import type { App } from '#http/app-type.ts'
import { neverStored } from '#http/endpoints/access.ts'
import { publicRoute } from '#http/endpoints/route-options.ts'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import type { CaptchaVerifier } from '#integrations/captcha/captcha-verifier.ts'
import { fail } from '../auth.errors.ts'

type Deps = { captcha: CaptchaVerifier | null; rateLimits: RateLimits }

/** Registers the challenges of ALTCHA, whose script requests them without an app key. */
export function registerCaptchaRoutes(app: App, { captcha, rateLimits }: Deps): void {
  app.get(
    membershipPaths.captchaChallenge,
    publicRoute('signing up', 'Returns a new challenge if CAPTCHA is altcha', {
      reply: captchaChallengeReply,
    }),
    async (request, reply) => {
      neverStored(reply)
      await rateLimits.consume('captchaChallenges', request.ip)
      const challenge = await captcha?.challenge?.()
      if (challenge === undefined) throw fail('not-found')
      return { ...challenge }
    },
  )
}
