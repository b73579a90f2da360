import type { MemoChange, MemoDelivery, MemoDraft } from '@tidings/contracts/desk/memos'
import {
  type EditionId,
  type EditionRow,
  idOf,
  keyOf,
  lockEditionById,
  type Publishing,
} from '#features/editions/index.ts'
import {
  findMemo,
  type MemoRow,
  type MemoService,
  memoFields,
  toDeskMemo,
  toMemoText,
} from '#features/memos/index.ts'
import type { Db } from '#platform/database.ts'
import { mapDefined } from '#platform/fields.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { fail } from '../desk.errors.ts'
import { cleanedReply, type DeskReply, replyWith, versionedReply } from '../desk-reply.ts'
import { announce, toActor } from '../events/announce.ts'
import { requireScope, requireScopeFor } from '../requests/editor.ts'
import { type Requester, requireVersion } from '../requests/register-desk.ts'
import { differingFields } from '../writing/compare-texts.ts'
import { keepDeleted } from '../writing/deleted-memos.repository.ts'
import { findMemoCopy, removeCopy } from '../writing/working-copies.repository.ts'
import { createMemoRecords } from './memo-records.ts'

type Deps = Pick<DeskDeps, 'database' | 'changes' | 'media' | 'siteLanguage' | 'clock'> & {
  publishing: Publishing
  memos: MemoService
  /** Plans the delivery of a memo that was added to an edition, in the same transaction. */
  planMemo: (tx: Db, edition: EditionRow) => Promise<MemoDelivery>
}

export type MemoDesk = ReturnType<typeof createMemoDesk>

/** Tells open desks about a stored memo. */
async function announceSave(
  tx: Db,
  { editor }: Requester,
  edition: EditionRow,
  { id, version }: MemoRow,
): Promise<void> {
  await announce(tx, { type: 'saved', memo: id, edition: keyOf(idOf(edition)), version, by: toActor(editor) })
}

/** Returns a memo. Throws `memo-not-found`, also for one that readers of its published edition don't have yet. */
async function getMemo(db: Db, id: string): Promise<MemoRow & { edition: EditionRow }> {
  const memo = await findMemo(db, id)
  if (memo !== null) return memo
  throw fail('memo-not-found', (await findMemoCopy(db, id)) === null ? 'nowhere' : 'private')
}

/** Lets editors read and change memos. Every change locks the edition first. */
export function createMemoDesk(deps: Deps) {
  const { database, changes, publishing, memos, media, siteLanguage, clock, planMemo } = deps
  async function lock(tx: Db, memoId: string): Promise<{ memo: MemoRow; edition: EditionRow }> {
    let { editionId } = await getMemo(tx, memoId)
    for (;;) {
      const edition = await lockEditionById(tx, editionId)
      if (edition === null) throw fail('memo-not-found', 'nowhere')
      const memo = await getMemo(tx, memoId)
      if (memo.editionId === edition.id) return { memo, edition }
      // It moved to another edition while this one waited for the lock.
      editionId = memo.editionId
    }
  }

  const { addPrivate, record } = createMemoRecords(deps)

  return {
    async add(requester: Requester, id: EditionId, draft: MemoDraft): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const edition = await publishing.find(tx, id)
        if (edition === null) throw fail('edition-not-found', keyOf(id))
        const isPrivate = draft.private ?? requester.editor.kind === 'person'
        if (edition.status === 'published' && isPrivate) {
          requireScope(requester.editor, 'write')
          const reply = await addPrivate(tx, requester, edition, draft)
          await audit('memo.write', keyOf(id), { memo: reply.id, title: reply.title })
          const added = cleanedReply(reply, 201, htmlOf(draft))
          return { ...added, body: { ...added.body, delivery: 'none' } }
        }
        requireScopeFor(requester.editor, edition.status)
        const content = mapDefined(draft, memoFields(draft.language || siteLanguage))
        await media.require(tx, content.mediaFile)
        const { position } = draft
        const memo = await memos.add(tx, edition, content, { position, by: requester.editor })
        await record(tx, requester, { edition, memo })
        await audit('memo.add', keyOf(id), { memo: memo.id, title: memo.title, position: memo.position })
        await announceSave(tx, requester, edition, memo)
        const delivery = await planMemo(tx, edition)
        const reply = cleanedReply(toDeskMemo(memo, edition), 201, htmlOf(draft))
        return { ...reply, body: { ...reply.body, delivery } }
      })
    },

    async read(memoId: string): Promise<DeskReply> {
      const memo = await getMemo(database.db, memoId)
      return versionedReply(toDeskMemo(memo, memo.edition))
    },

    async change(
      requester: Requester,
      memoId: string,
      change: MemoChange,
      version: number | null,
    ): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const { memo, edition } = await lock(tx, memoId)
        requireVersion(version, memo.version, conflictOf(memo, edition))
        requireScopeFor(requester.editor, edition.status)
        const { language = memo.language } = change
        const content = mapDefined(change, memoFields(language || siteLanguage))
        await media.require(tx, content.mediaFile)
        const fields = changedFieldsOf(memo, content)
        const { position } = change
        const copy = await findMemoCopy(tx, memoId)
        // Open desks take a text only if it is newer than theirs.
        const atLeast = fields.length > 0 && copy !== null ? { atLeast: copy.version } : {}
        const stamp = { by: requester.editor, fields, ...atLeast }
        const stored = await memos.change(tx, edition, memo, { ...content, position }, stamp)
        const hasChanged = fields.length > 0 || stored.position !== memo.position
        if (fields.length > 0) await record(tx, requester, { edition, memo: stored, before: memo })
        if (hasChanged) await announceSave(tx, requester, edition, stored)
        const before = toDeskMemo(memo, edition)
        const changed = Object.keys(change)
        if (hasChanged) await audit('memo.change', before.edition, { memo: memo.id, before, changed })
        return cleanedReply(toDeskMemo(stored, edition), 200, htmlOf(change))
      })
    },

    async withdraw(requester: Requester, memoId: string, version: number | null): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const { memo, edition } = await lock(tx, memoId)
        requireVersion(version, memo.version, conflictOf(memo, edition))
        requireScopeFor(requester.editor, edition.status)
        const { id, position, version: last, createdAt } = memo
        const wasPublic = edition.status === 'published'
        const kept = { id, position, wasPublic, version: last, createdAt, fields: toMemoText(memo) }
        const { editor } = requester
        await keepDeleted(tx, { ...kept, editionKey: keyOf(idOf(edition)), by: editor, now: clock.now() })
        if ((await findMemoCopy(tx, id)) !== null) await removeCopy(tx, id)
        await memos.withdraw(tx, edition, memo)
        const by = toActor(editor)
        await announce(tx, { type: 'removed', memo: memo.id, edition: keyOf(idOf(edition)), by })
        await audit('memo.withdraw', keyOf(idOf(edition)), { memo: toDeskMemo(memo, edition) })
        return replyWith({ id: memo.id })
      })
    },
  }
}

/** Returns what a reply about a newer version of a memo has. */
function conflictOf(memo: MemoRow, edition: EditionRow) {
  const current = toDeskMemo(memo, edition)
  return { by: current.savedBy, reply: { current } }
}

/** Returns the names of the fields in which a change differs from the memo. */
function changedFieldsOf(memo: MemoRow, content: Partial<MemoRow>): string[] {
  const after = { ...memo, ...content }
  const fields = differingFields(toMemoText(memo), toMemoText(after))
  return after.isReady === memo.isReady ? fields : [...fields, 'ready']
}

function htmlOf({ memo_content, media_text }: MemoChange): Record<string, string | undefined> {
  return { memo_content, media_text }
}
