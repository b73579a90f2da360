import type { MemoChange, MemoDelivery, MemoDraft } from '@tidings/contracts/desk/editions'
import {
  type EditionId,
  type EditionRow,
  idOf,
  keyOf,
  lockEditionById,
  type Publishing,
} from '#features/editions/index.ts'
import {
  fail as failMemo,
  getMemo,
  type MemoRow,
  type MemoService,
  memoFields,
  toDeskMemo,
} from '#features/memos/index.ts'
import type { Db } from '#platform/database.ts'
import { mapDefined } from '#platform/fields.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { fail } from '../desk.errors.ts'
import { cleanedReply, type DeskReply, replyWith, versionedReply } from '../desk-reply.ts'
import { announce, toActor } from '../events/announce.ts'
import { type Requester, requireVersion } from '../requests/register-desk.ts'
import { requirePublish } from './edition-desk.service.ts'

type Deps = Pick<DeskDeps, 'database' | 'changes' | 'media' | 'siteLanguage'> & {
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
  planMemo,
}: Deps) {
  async function lock(tx: Db, memoId: string): Promise<{ memo: MemoRow; edition: EditionRow }> {
    const { editionId } = await getMemo(tx, memoId)
    const edition = await lockEditionById(tx, editionId)
    if (edition === null) throw failMemo('memo-not-found')
    return { memo: await getMemo(tx, memoId), edition }
  }

  return {
    async add(requester: Requester, id: EditionId, draft: MemoDraft): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const edition = await publishing.find(tx, id)
        if (edition === null) throw fail('edition-not-found', keyOf(id))
        requirePublish(requester.editor, edition.status, edition.status)
        const content = mapDefined(draft, memoFields(draft.language || siteLanguage))
        await media.require(tx, content.mediaFile)
        const memo = await memos.add(tx, edition, content, draft.position)
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
        requirePublish(requester.editor, edition.status, edition.status)
        const { language = memo.language } = change
        const content = mapDefined(change, memoFields(language || siteLanguage))
        await media.require(tx, content.mediaFile)
        const stored = await memos.change(tx, edition, memo, { ...content, position: change.position })
        await announceSave(tx, requester, edition, stored)
        const before = toDeskMemo(memo, edition)
        await audit('memo.change', before.edition, { memo: memo.id, before, changed: Object.keys(change) })
        return cleanedReply(toDeskMemo(stored, edition), 200, htmlOf(change))
      })
    },

    async withdraw(requester: Requester, memoId: string, version: number | null): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const { memo, edition } = await lock(tx, memoId)
        requireVersion(version, memo.version)
        requirePublish(requester.editor, edition.status, edition.status)
        await memos.withdraw(tx, edition, memo)
        const by = toActor(requester.editor)
        await announce(tx, { type: 'removed', memo: memo.id, edition: keyOf(idOf(edition)), by })
        await audit('memo.withdraw', keyOf(idOf(edition)), { memo: toDeskMemo(memo, edition) })
        return replyWith({ id: memo.id })
      })
    },
  }
}

function htmlOf({ memo_content, media_text }: MemoChange): Record<string, string | undefined> {
  return { memo_content, media_text }
}
