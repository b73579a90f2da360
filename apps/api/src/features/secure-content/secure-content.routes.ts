import { membershipPaths } from '@tidings/contracts/paths'
import { secureContentReply, secureContentRequest } from '@tidings/contracts/secure-content'
import type { App } from '#http/app-type.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import { appOf } from '#http/membership/membership.ts'
import type { SecureContentService } from './secure-content.service.ts'

/** `POST /secure-content`: for members whose plans open what they ask for. */
export function registerSecureContentRoutes(
  app: App,
  { secureContent }: { secureContent: SecureContentService },
): void {
  app.post(
    membershipPaths.secureContent,
    {
      config: { access: 'member' },
      schema: {
        tags: ['Membership: secure content'],
        summary: 'What a content id stands for, if the member may have it',
        description:
          'It opens to members with any one of its permissions and any one of its plans, and by its content group alike. HTML was cleaned when an editor wrote it; JS and CSS are handed over as written, for the page that asks to run.',
        body: secureContentRequest,
        response: { 200: secureContentReply },
      },
    },
    async (request) => {
      const { memberId } = sessionOf(request)
      return { data: await secureContent.read(appOf(request), memberId, request.body.contentId) }
    },
  )
}
