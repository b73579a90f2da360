import {
  compareMemoVersions,
  getMemoVersion,
  listMemoVersions,
  restoreMemoVersion,
} from '@tidings/contracts/desk/writing/versions'
import {
  discardWorkingCopy,
  getWorkingCopy,
  publishWorkingCopy,
  saveWorkingCopy,
} from '@tidings/contracts/desk/writing/writing'
import type { App } from '#http/app-type.ts'
import { htmlBodyLimit, registerDesk } from '../requests/register-desk.ts'
import type { MemoWriting } from './memo-writing.service.ts'
import type { TextVersions } from './text-versions.service.ts'

/** Registers working copies of memos and their versions. */
export function registerWriting(
  app: App,
  { memoWriting, memoVersions }: { memoWriting: MemoWriting; memoVersions: TextVersions },
): void {
  registerDesk(app, getWorkingCopy, ({ params: { id } }) => memoWriting.read(id))

  registerDesk(
    app,
    saveWorkingCopy,
    ({ requester, params: { id }, body, version }) => memoWriting.save(requester, id, body, version),
    { bodyLimit: htmlBodyLimit },
  )

  registerDesk(app, publishWorkingCopy, ({ requester, params: { id }, body, version }) =>
    memoWriting.publish(requester, id, body, version),
  )

  registerDesk(app, discardWorkingCopy, ({ requester, params: { id }, version }) =>
    memoWriting.discard(requester, id, version),
  )

  registerDesk(app, listMemoVersions, ({ params: { id }, query }) => memoVersions.list(id, query))

  registerDesk(app, getMemoVersion, ({ params: { id, version } }) => memoVersions.read(id, version))

  registerDesk(app, compareMemoVersions, ({ params: { id, version }, query }) =>
    memoVersions.compare(id, version, query.with),
  )

  registerDesk(app, restoreMemoVersion, ({ requester, params, version }) =>
    memoVersions.restore(requester, { textId: params.id, id: params.version, version }),
  )
}
