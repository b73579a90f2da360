import { readSecureContent } from '@tidings/contracts/membership/secure-content'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import { appOf } from '#http/membership/membership.ts'
import type { SecureContentService } from './secure-content.service.ts'

export function registerSecureContentRoutes(
  app: App,
  { secureContent }: { secureContent: SecureContentService },
): void {
  register(app, readSecureContent, async (request) => {
    const { memberId } = sessionOf(request)
    return { data: await secureContent.read(appOf(request), memberId, request.body.contentId) }
  })
}
