import { captchaChallengeReply } from '@tidings/contracts/auth'
import { membershipPaths } from '@tidings/contracts/paths'
import { neverStored } from '#http/access.ts'
import type { App } from '#http/app-type.ts'
import type { RateLimits } from '#http/rate-limits.ts'
import type { CaptchaVerifier } from '#integrations/captcha/captcha-verifier.ts'
import { AppError } from '#platform/errors.ts'

/** The challenge of a captcha that needs no one else. Asked for by the captcha itself, which sends no app key. */
export function registerCaptchaRoutes(
  app: App,
  { captcha, rateLimits }: { captcha: CaptchaVerifier | null; rateLimits: RateLimits },
): void {
  app.get(
    membershipPaths.captchaChallenge,
    {
      config: { access: 'public' },
      schema: {
        tags: ['Membership: signing up'],
        summary: 'A new challenge, when CAPTCHA is altcha',
        response: { 200: captchaChallengeReply },
      },
    },
    async (request, reply) => {
      neverStored(reply)
      await rateLimits.consume('captchaChallenges', request.ip)
      const challenge = await captcha?.challenge?.()
      if (challenge === undefined) {
        throw new AppError('not-found', 404, 'The captcha of this site gives out no challenges.')
      }
      return { ...challenge }
    },
  )
}
