import { getEdition, listEditions, publishEdition, putEdition } from '@tidings/contracts/desk/editions'
import { addMemo, changeMemo, deleteMemo, getMemo } from '@tidings/contracts/desk/memos'
import { listDeletedMemos, restoreDeletedMemo } from '@tidings/contracts/desk/writing/versions'
import { deleteEdition, moveMemo, putOrder, undoWithdrawal } from '@tidings/contracts/desk/writing/writing'
import { getEditionId } from '#features/editions/index.ts'
import type { App } from '#http/app-type.ts'
import { htmlBodyLimit, registerDesk } from '../requests/register-desk.ts'
import type { EditionDesk } from './edition-desk.service.ts'
import type { EditionMemos } from './edition-memos.service.ts'
import type { EditionUndo } from './edition-undo.service.ts'
import type { MemoDesk } from './memo-desk.service.ts'

export function registerEditionDesk(app: App, desk: EditionDesk): void {
  registerDesk(app, listEditions, ({ query }) => desk.list(query))

  registerDesk(app, getEdition, ({ params: { key } }) => desk.read(getEditionId(key)))

  registerDesk(app, putEdition, ({ requester, params: { key }, body, version }) =>
    desk.put(requester, getEditionId(key), body, version),
  )

  registerDesk(app, publishEdition, ({ requester, params: { key }, body, version }) =>
    desk.publish(requester, getEditionId(key), { ...body, version }),
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

export function registerEditionMemos(
  app: App,
  { editionMemos: memos, editionUndo: undo }: { editionMemos: EditionMemos; editionUndo: EditionUndo },
): void {
  registerDesk(app, putOrder, ({ requester, params: { key }, body: { ids }, version }) =>
    memos.reorder(requester, getEditionId(key), { ids, version }),
  )

  registerDesk(app, moveMemo, ({ requester, params: { id }, body: { edition, position }, version }) =>
    memos.move(requester, id, { key: edition, position, version }),
  )

  registerDesk(app, deleteEdition, ({ requester, params: { key }, version }) =>
    undo.remove(requester, getEditionId(key), version),
  )

  registerDesk(app, undoWithdrawal, ({ requester, params: { key } }) =>
    undo.undoWithdrawal(requester, getEditionId(key)),
  )

  registerDesk(app, listDeletedMemos, ({ query }) => undo.listDeleted(query))

  registerDesk(app, restoreDeletedMemo, ({ requester, params: { id } }) => undo.undelete(requester, id))
}
