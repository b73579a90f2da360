import type { DeskMemo, MemoChange, MemoDelivery, MemoDraft } from '@tidings/contracts/desk/editions'
import { memoText } from '@tidings/contracts/desk/memo-text'
import { limits } from '@tidings/contracts/limits'
import {
  type EditionId,
  type EditionRow,
  idOf,
  keyOf,
  lockEditionById,
  type Publishing,
} from '#features/editions/index.ts'
import {
  cleanMemoText,
  fail as failMemo,
  getMemo,
  type MemoRow,
  type MemoService,
  memoFields,
  missingFields,
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
import { keepDeleted } from '../writing/deleted-memos.repository.ts'
import { differingFields } from '../writing/memo-saves.ts'
import { listOrder } from '../writing/memo-state.ts'
import { addVersion, recordSession } from '../writing/text-versions.repository.ts'
import {
  findMemoCopy,
  newMemoId,
  removeMemoCopy,
  storeMemoCopy,
} from '../writing/working-copies.repository.ts'

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

/** Lets editors read and change memos. Every change locks the edition first. */
export function createMemoDesk({
  database,
  changes,
  publishing,
  memos,
  media,
  siteLanguage,
  clock,
  planMemo,
}: Deps) {
  async function lock(tx: Db, memoId: string): Promise<{ memo: MemoRow; edition: EditionRow }> {
    const { editionId } = await getMemo(tx, memoId)
    const edition = await lockEditionById(tx, editionId)
    if (edition === null) throw failMemo('memo-not-found')
    return { memo: await getMemo(tx, memoId), edition }
  }

  /** Stores a memo that readers of a published edition don't have. Returns it as if it were public. */
  async function addPrivate(
    tx: Db,
    { editor }: Requester,
    edition: EditionRow,
    draft: MemoDraft,
  ): Promise<DeskMemo> {
    const order = await listOrder(tx, edition.id)
    if (order.length >= limits.memosPerEdition) throw failMemo('edition-full')
    const fields = memoText.parse({
      ...draft,
      ...cleanMemoText(memoText.parse(draft), draft.language || siteLanguage),
    })
    await media.require(tx, fields.media === '' ? null : fields.media)
    const place = Math.min(draft.position ?? order.length + 1, order.length + 1)
    const id = await newMemoId(tx)
    const copy = { id, editionId: edition.id, place, baseVersion: 0, version: 1, fields, changed: {} }
    const saved = { isReady: draft.ready, savedById: editor.id, savedBy: editor.name }
    const { createdAt } = await storeMemoCopy(tx, { ...copy, ...saved }, clock.now())
    await recordSession(tx, { textId: id, before: null, after: fields, by: editor, now: clock.now() })
    const by = toActor(editor)
    await announce(tx, { type: 'saved', memo: id, edition: keyOf(idOf(edition)), version: 1, by })
    const at = createdAt.toISOString()
    return {
      ...fields,
      id,
      edition: keyOf(idOf(edition)),
      position: place,
      ready: draft.ready,
      note: '',
      notedAt: null,
      counter: 0,
      version: 1,
      savedBy: editor.name,
      createdAt: at,
      updatedAt: at,
    }
  }

  /** Records a stored text among the versions. Throws `incomplete` if readers would miss something. */
  async function record(
    tx: Db,
    { editor: by }: Requester,
    { edition, memo, before }: { edition: EditionRow; memo: MemoRow; before?: MemoRow },
  ): Promise<void> {
    const fields = toMemoText(memo)
    const version = { textId: memo.id, by, now: clock.now() }
    if (edition.status !== 'published') {
      const earlier = before === undefined ? null : toMemoText(before)
      await recordSession(tx, { ...version, before: earlier, after: fields })
      return
    }
    const missing = missingFields(fields)
    if (missing.length > 0) throw fail('incomplete', [{ id: memo.id, place: memo.position, fields: missing }])
    await addVersion(tx, { ...version, kind: 'published', fields })
  }

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
        requireVersion(version, memo.version)
        requireScopeFor(requester.editor, edition.status)
        const { language = memo.language } = change
        const content = mapDefined(change, memoFields(language || siteLanguage))
        await media.require(tx, content.mediaFile)
        const fields = changedFieldsOf(memo, content)
        const { position } = change
        const stamp = { by: requester.editor, fields }
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
        requireVersion(version, memo.version)
        requireScopeFor(requester.editor, edition.status)
        const { id, position, version: last, createdAt } = memo
        const wasPublic = edition.status === 'published'
        const kept = { id, position, wasPublic, version: last, createdAt, fields: toMemoText(memo) }
        const { editor } = requester
        await keepDeleted(tx, { ...kept, editionKey: keyOf(idOf(edition)), by: editor, now: clock.now() })
        if ((await findMemoCopy(tx, id)) !== null) await removeMemoCopy(tx, id)
        await memos.withdraw(tx, edition, memo)
        const by = toActor(editor)
        await announce(tx, { type: 'removed', memo: memo.id, edition: keyOf(idOf(edition)), by })
        await audit('memo.withdraw', keyOf(idOf(edition)), { memo: toDeskMemo(memo, edition) })
        return replyWith({ id: memo.id })
      })
    },
  }
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
