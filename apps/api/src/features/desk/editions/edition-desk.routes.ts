import {
  addMemo,
  changeMemo,
  deleteMemo,
  getEdition,
  getMemo,
  listEditions,
  publishEdition,
  putEdition,
} from '@tidings/contracts/desk/editions'
import { getEditionId } from '#features/editions/index.ts'
import type { App } from '#http/app-type.ts'
import { htmlBodyLimit, registerDesk } from '../requests/register-desk.ts'
import type { EditionDesk } from './edition-desk.service.ts'
import type { MemoDesk } from './memo-desk.service.ts'

export function registerEditionDesk(app: App, desk: EditionDesk): void {
  registerDesk(app, listEditions, ({ query }) => desk.list(query))

  registerDesk(app, getEdition, ({ params: { key } }) => desk.read(getEditionId(key)))

  registerDesk(app, putEdition, ({ requester, params: { key }, body, version }) =>
    desk.put(requester, getEditionId(key), body, version),
  )

  registerDesk(app, publishEdition, ({ requester, params: { key }, body }) =>
    desk.publish(requester, getEditionId(key), body?.deliver),
  )
}

export function registerMemoDesk(app: App, desk: MemoDesk): void {
  registerDesk(
    app,
    addMemo,
    ({ requester, params: { key }, body }) => desk.add(requester, getEditionId(key), body),
    { bodyLimit: htmlBodyLimit },
  )

  registerDesk(app, getMemo, ({ params: { id } }) => desk.read(id))

  registerDesk(
    app,
    changeMemo,
    ({ requester, params: { id }, body, version }) => desk.change(requester, id, body, version),
    { bodyLimit: htmlBodyLimit },
  )

  registerDesk(app, deleteMemo, ({ requester, params: { id }, version }) =>
    desk.withdraw(requester, id, version),
  )
}
