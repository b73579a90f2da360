import { secureContentReply, secureContentRequest } from '@tidings/contracts/membership/secure-content'
import { membershipPaths } from '@tidings/contracts/paths'
import type { App } from '#http/app-type.ts'
import { memberRoute } from '#http/endpoints/route-options.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import { appOf } from '#http/membership/membership.ts'
import type { SecureContentService } from './secure-content.service.ts'

export function registerSecureContentRoutes(
  app: App,
  { secureContent }: { secureContent: SecureContentService },
): void {
  app.post(
    membershipPaths.secureContent,
    memberRoute('secure content', "Returns secure content that the member's plans open", {
      description:
        'The member needs any one of its permissions and any one of its plans, and the same of its content group. HTML was cleaned when an editor wrote it; JS and CSS are returned as written, for the page to run.',
      body: secureContentRequest,
      reply: secureContentReply,
    }),
    async (request) => {
      const { memberId } = sessionOf(request)
      return { data: await secureContent.read(appOf(request), memberId, request.body.contentId) }
    },
  )
}
