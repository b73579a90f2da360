import { queryOptions } from '@tanstack/react-query'
import type { SiteConfig } from '@tidings/contracts/site-config'
import { NetworkError } from '#lib/api/api-client.ts'
import { ShownError } from '#lib/api/error-text.ts'
import { loadChunk } from '#lib/chunk.ts'
import type { MemberSession } from '#lib/member-session/member-session.ts'
import { appOf } from '#lib/member-session/plans.ts'

// Challenges expire after ten minutes.
const tokenMs = 9 * 60_000

/**
 * Solves the captcha of the sign-up in the background, without a question to the reader. The token is null if the app
 * asks for none. It works once: after a sign-up, remove it.
 */
export function captchaToken(session: MemberSession, { legal }: SiteConfig) {
  return queryOptions({
    queryKey: ['captcha'],
    staleTime: tokenMs,
    refetchOnMount: false,
    refetchOnWindowFocus: false,
    retry: false,
    async queryFn({ client, signal }): Promise<string | null> {
      const { captcha } = await client.fetchQuery(appOf(session))
      if (captcha === null) return null
      // NOTE: the page's content security policy allows no script of a captcha service.
      if (captcha.kind !== 'altcha')
        throw new ShownError(
          `You can't sign up on this page at the moment. Write to ${legal.contactEmail} to get an account.`,
        )
      const [{ solveAltcha }, { apiBase }] = await Promise.all([
        loadChunk(() => import('@tidings/widget/captcha/altcha')),
        session.getClient(),
      ])
      return await solveAltcha(apiBase, signal).catch((cause: unknown) => {
        throw new NetworkError('The captcha was not solved', { cause })
      })
    },
  })
}
