import {
  deleteSecureContent,
  getSecureContent,
  listSecureContents,
  putSecureContent,
} from '@tidings/contracts/desk/content/secure-content'
import type { App } from '#http/app-type.ts'
import { htmlBodyLimit, registerDesk } from '../requests/register-desk.ts'
import type { SecureContentDesk } from './secure-content-desk.service.ts'

export function registerSecureContentDesk(app: App, desk: SecureContentDesk): void {
  registerDesk(app, listSecureContents, ({ query }) => desk.list(query))

  registerDesk(app, getSecureContent, ({ params: { contentId } }) => desk.read(contentId))

  registerDesk(
    app,
    putSecureContent,
    ({ requester, params, body, version }) => desk.put(requester, params.contentId, body, version),
    { bodyLimit: htmlBodyLimit },
  )

  registerDesk(app, deleteSecureContent, ({ requester, params, version }) =>
    desk.remove(requester, params.contentId, version),
  )
}
