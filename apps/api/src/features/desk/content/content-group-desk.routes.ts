import {
  changeContentGroup,
  createContentGroup,
  deleteContentGroup,
  getContentGroup,
  listContentGroups,
} from '@tidings/contracts/desk/content/content-groups'
import type { App } from '#http/app-type.ts'
import { registerDesk } from '../requests/register-desk.ts'
import type { ContentGroupDesk } from './content-group-desk.service.ts'

export function registerContentGroupDesk(app: App, desk: ContentGroupDesk): void {
  registerDesk(app, listContentGroups, ({ query }) => desk.list(query))

  registerDesk(app, createContentGroup, ({ requester, body }) => desk.create(requester, body))

  registerDesk(app, getContentGroup, ({ params: { id } }) => desk.read(id))

  registerDesk(app, changeContentGroup, ({ requester, params: { id }, body, version }) =>
    desk.change(requester, id, body, version),
  )

  registerDesk(app, deleteContentGroup, ({ requester, params: { id }, version }) =>
    desk.remove(requester, id, version),
  )
}
