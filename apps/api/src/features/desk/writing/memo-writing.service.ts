import type { WorkingCopy } from '@tidings/contracts/desk/memo-text'
import type { Correction, MemoSave } from '@tidings/contracts/desk/writing/writing'
import { idOf, keyOf } from '#features/editions/index.ts'
import { missingFields, toMemoText } from '#features/memos/index.ts'
import type { Db } from '#platform/database.ts'
import type { Audit } from '../changes/changes.service.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { fail } from '../desk.errors.ts'
import { cleanedReply, type DeskReply, replyWith, versionedReply } from '../desk-reply.ts'
import { announce, toActor } from '../events/announce.ts'
import { requireScope } from '../requests/editor.ts'
import { type Requester, requireVersion } from '../requests/register-desk.ts'
import { keepDeleted } from './deleted-memos.repository.ts'
import { listOrder, lockMemoState, readMemoState, readWorkingCopy, toWorkingCopy } from './memo-state.ts'
import { createMemoTexts, type MemoTextDeps } from './memo-texts.ts'
import { commitSave, mergedFields } from './text-saves.ts'
import { addVersion, type WrittenHow } from './text-versions.repository.ts'
import { removeCopy } from './working-copies.repository.ts'

type Deps = MemoTextDeps & Pick<DeskDeps, 'changes'>

export type MemoWriting = ReturnType<typeof createMemoWriting>

/** Lets people write memos: saves that readers of a published edition don't see, and their publication. */
export function createMemoWriting(deps: Deps) {
  const { database, changes, clock, memos } = deps

  const { saveText, makePublic, keepRefused } = createMemoTexts(deps)

  return {
    async read(id: string): Promise<DeskReply> {
      return versionedReply(await readWorkingCopy(database.db, id))
    },

    /** Saves fields, which merge with what others saved. Throws `version-conflict` for another text of the same field. */
    async save(
      requester: Requester,
      id: string,
      save: MemoSave,
      read: number | null,
      how: WrittenHow = 'typed',
    ): Promise<DeskReply> {
      const { memo_content, media_text } = save
      const reply = (saved: WorkingCopy & { merged: string[] }) =>
        cleanedReply(saved, 200, { memo_content, media_text })
      const work = async (tx: Db, audit: Audit) => {
        const state = await lockMemoState(tx, id)
        if (state.edition.status === 'scheduled') requireScope(requester.editor, 'publish')
        if (read === null) throw fail('version-required')
        const { saved, merged } = await saveText(tx, requester, state, { save, read, audit, how })
        return reply({ ...toWorkingCopy(saved, await listOrder(tx, saved.edition.id)), merged })
      }
      return await commitSave(changes, requester, {
        work,
        replay: async (tx, version) => reply(await readSince(tx, id, version)),
        keepRefused: () => keepRefused(requester, id, save),
      })
    },

    /** Makes the changes of a memo public. Throws `incomplete` if readers would miss something. */
    async publish(
      requester: Requester,
      id: string,
      body: Correction,
      version: number | null,
    ): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const state = await lockMemoState(tx, id)
        requireVersion(version, state.version)
        const { edition, memo, copy, text } = state
        if (copy === null || edition.status !== 'published') throw fail('working-copy-not-found')
        const missing = missingFields(text)
        const before = toWorkingCopy(state, await listOrder(tx, edition.id))
        if (missing.length > 0) throw fail('incomplete', [{ id, place: before.place, fields: missing }])
        await makePublic(tx, requester, { state, copy, note: body?.note ?? '' })
        const { editor: by } = requester
        await addVersion(tx, { textId: id, kind: 'published', fields: text, by, now: clock.now() })
        const action = memo === null ? 'memo.publish' : 'memo.correct'
        const details = { memo: id, title: text.title, changed: Object.keys(copy.changed), note: body?.note }
        await audit(action, keyOf(idOf(edition)), details)
        const reply = await readWorkingCopy(tx, id)
        const saved = { type: 'saved', memo: id, edition: reply.edition, version: reply.version } as const
        await announce(tx, { ...saved, by: toActor(by) })
        return versionedReply(reply)
      })
    },

    /** Drops the changes that readers don't have. A memo that was never public is deleted. */
    async discard(requester: Requester, id: string, version: number | null): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const state = await lockMemoState(tx, id)
        requireVersion(version, state.version)
        const { edition, memo, copy, text } = state
        if (copy === null) throw fail('working-copy-not-found')
        const { editor: by } = requester
        const editionKey = keyOf(idOf(edition))
        const actor = toActor(by)
        if (memo === null) {
          const { version: copyVersion, createdAt } = copy
          const deleted = { id, editionKey, position: copy.place ?? 1, wasPublic: false, fields: text }
          await keepDeleted(tx, { ...deleted, version: copyVersion, createdAt, by, now: clock.now() })
          await announce(tx, { type: 'removed', memo: id, edition: editionKey, by: actor })
        } else {
          // Saves that are based on the dropped text clash, and those of it that are repeated learn that it is gone.
          const next = { by, fields: Object.keys(copy.changed), atLeast: copy.version }
          const stored = await memos.change(tx, edition, memo, {}, next)
          const saved = { type: 'saved', memo: id, edition: editionKey, version: stored.version } as const
          await announce(tx, { ...saved, by: actor })
          // Words that are typed from now on are another version, so that the dropped ones stay.
          const fields = toMemoText(memo)
          await addVersion(tx, { textId: id, kind: 'restored', fields, by, now: clock.now() })
        }
        await removeCopy(tx, id)
        const named = { memo: id, title: text.title }
        await audit(memo === null ? 'memo.withdraw' : 'memo.discard', editionKey, named)
        return replyWith({ id })
      })
    },
  }
}

/** Reads a memo for the reply to a save that is repeated: with its version, and what was changed since. */
async function readSince(db: Db, id: string, version: number): Promise<WorkingCopy & { merged: string[] }> {
  const state = await readMemoState(db, id)
  const copy = toWorkingCopy(state, await listOrder(db, state.edition.id))
  return { ...copy, merged: mergedFields(state, [], version), version }
}
