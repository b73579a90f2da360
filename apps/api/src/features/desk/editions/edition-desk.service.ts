import type {
  DeskEdition,
  DeskEditionSummary,
  DeskMemo,
  EditionChange,
  MemoChange,
  MemoDraft,
} from '@tidings/contracts/desk'
import {
  type EditionId,
  EditionNotFoundError,
  type EditionRow,
  findEdition,
  findEditionById,
  idOf,
  keyOf,
  listEditions,
  lockEditionById,
  type Publishing,
} from '#features/editions/index.ts'
import type { MediaService } from '#features/media/index.ts'
import {
  findMemo,
  listMemos,
  MemoNotFoundError,
  type MemoRow,
  type MemoService,
} from '#features/memos/index.ts'
import type { Database, Db } from '#platform/database.ts'
import { AppError } from '#platform/errors.ts'
import type { Asker, Changes, DeskReply } from '../changes/changes.service.ts'
import { toDeskEdition, toDeskMemo, toMemoChange, toMemoContent } from '../desk.mapper.ts'
import { removedFrom } from '../html-field.ts'
import { type Editor, requireScope } from '../keys/editor-keys.service.ts'
import { formatVersion, parseIfMatch, requireVersion } from '../version-tag.ts'

type Deps = {
  database: Database
  changes: Changes
  publishing: Publishing
  memos: MemoService
  media: MediaService
}

/** What editors do with editions and their memos. `ifMatch` is the header as it came. */
export type EditionDesk = {
  list(page: { limit: number; after: string | undefined }): Promise<{
    data: DeskEditionSummary[]
    next: string | null
  }>
  read(id: EditionId): Promise<DeskEdition>
  put(asker: Asker, id: EditionId, change: EditionChange, ifMatch: string | undefined): Promise<DeskReply>
  publish(asker: Asker, id: EditionId): Promise<DeskReply>
  addMemo(asker: Asker, id: EditionId, draft: MemoDraft): Promise<DeskReply>
  readMemo(memoId: string): Promise<DeskMemo>
  changeMemo(
    asker: Asker,
    memoId: string,
    change: MemoChange,
    ifMatch: string | undefined,
  ): Promise<DeskReply>
  withdrawMemo(asker: Asker, memoId: string, ifMatch: string | undefined): Promise<DeskReply>
}

export function createEditionDesk({ database, changes, publishing, memos, media }: Deps): EditionDesk {
  async function whole(db: Db, edition: EditionRow): Promise<DeskEdition> {
    const rows = await listMemos(db, edition.id)
    return {
      ...toDeskEdition(edition, rows.length),
      memos: rows.map((row) => toDeskMemo(row, edition)),
    }
  }

  async function editionReply(tx: Db, edition: EditionRow, status: number): Promise<DeskReply> {
    const data = await whole(tx, edition)
    return { status, body: { data }, etag: formatVersion(edition.version) }
  }

  function memoReply(
    memo: MemoRow,
    edition: EditionRow,
    written: { status: number; memo_content?: string | undefined; media_text?: string | undefined },
  ): DeskReply {
    const { status, memo_content, media_text } = written
    const removed = removedFrom({ memo_content, media_text })
    return { status, body: { data: toDeskMemo(memo, edition), removed }, etag: formatVersion(memo.version) }
  }

  /** The memo and its edition, the edition locked. */
  async function lockMemo(tx: Db, memoId: string): Promise<{ memo: MemoRow; edition: EditionRow }> {
    const found = await findMemo(tx, memoId)
    const edition = found === null ? null : await lockEditionById(tx, found.editionId)
    const memo = edition === null ? null : await findMemo(tx, memoId)
    if (edition === null || memo === null) throw new MemoNotFoundError()
    return { memo, edition }
  }

  async function apply(tx: Db, edition: EditionRow, status: EditionChange['status']): Promise<EditionRow> {
    // What is scheduled may be so for another time, since its slot was moved.
    if (status === edition.status && status !== 'scheduled') return edition
    switch (status) {
      case 'draft':
        return await publishing.withdraw(tx, edition)
      case 'scheduled':
        return await publishing.schedule(tx, edition)
      case 'published':
        return await publishing.publish(tx, edition)
    }
  }

  return {
    async list({ limit, after }) {
      const before = after === undefined ? null : await findEditionById(database.db, after)
      if (after !== undefined && before === null) {
        throw new AppError('invalid-request', 400, "after: must be the 'next' of the page before")
      }
      const rows = await listEditions(database.db, { limit: limit + 1, before })
      const page = rows.slice(0, limit)
      return {
        data: page.map((row) => toDeskEdition(row, row._count.memos)),
        next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
      }
    },

    async read(id) {
      const edition = await findEdition(database.db, id)
      if (edition === null) throw noSuchEdition(id)
      return await whole(database.db, edition)
    },

    put: (asker, id, { status }, ifMatch) =>
      changes.make(asker, async (tx, audit) => {
        const { edition, created } = await publishing.createOrLock(tx, id)
        if (created && ifMatch !== undefined) requireVersion(parseIfMatch(ifMatch), 0)
        if (!created) requireVersion(parseIfMatch(ifMatch), edition.version)
        requirePublish(asker.editor, edition, status)
        const stored = await apply(tx, edition, status)
        if (created) await audit('edition.create', keyOf(id), {})
        if (stored.version !== edition.version) {
          await audit(actionFor(status), keyOf(id), { from: edition.status, to: stored.status })
        }
        return await editionReply(tx, stored, created ? 201 : 200)
      }),

    publish: (asker, id) =>
      changes.make(asker, async (tx, audit) => {
        requireScope(asker.editor, 'publish')
        const edition = await lockExisting(tx, id)
        const stored = await publishing.publish(tx, edition)
        if (stored.status !== edition.status) {
          await audit('edition.publish', keyOf(id), { from: edition.status, to: stored.status })
        }
        return await editionReply(tx, stored, 200)
      }),

    addMemo: (asker, id, draft) =>
      changes.make(asker, async (tx, audit) => {
        const edition = await lockExisting(tx, id)
        requirePublish(asker.editor, edition, edition.status)
        const content = toMemoContent(draft)
        await media.require(tx, content.mediaFile)
        const memo = await memos.add(tx, edition, content, draft.position)
        await audit('memo.add', keyOf(id), { memo: memo.id, title: memo.title, position: memo.position })
        return memoReply(memo, edition, { status: 201, ...draft })
      }),

    async readMemo(memoId) {
      const memo = await findMemo(database.db, memoId)
      if (memo === null) throw new MemoNotFoundError()
      return toDeskMemo(memo, memo.edition)
    },

    async changeMemo(asker, memoId, change, ifMatch) {
      const version = parseIfMatch(ifMatch)
      return await changes.make(asker, async (tx, audit) => {
        const { memo, edition } = await lockMemo(tx, memoId)
        requireVersion(version, memo.version)
        requirePublish(asker.editor, edition, edition.status)
        const content = toMemoChange(change)
        await media.require(tx, content.mediaFile)
        const stored = await memos.change(tx, edition, memo, content, change.position)
        await audit('memo.change', keyOf(idOf(edition)), {
          memo: memo.id,
          before: toDeskMemo(memo, edition),
          changed: Object.keys(change),
        })
        return memoReply(stored, edition, { status: 200, ...change })
      })
    },

    async withdrawMemo(asker, memoId, ifMatch) {
      const version = parseIfMatch(ifMatch)
      return await changes.make(asker, async (tx, audit) => {
        const { memo, edition } = await lockMemo(tx, memoId)
        requireVersion(version, memo.version)
        requirePublish(asker.editor, edition, edition.status)
        await memos.withdraw(tx, edition, memo)
        await audit('memo.withdraw', keyOf(idOf(edition)), { memo: toDeskMemo(memo, edition) })
        return { status: 200, body: { data: { id: memo.id } }, etag: null }
      })
    },
  }

  async function lockExisting(tx: Db, id: EditionId): Promise<EditionRow> {
    const edition = await publishing.find(tx, id)
    if (edition === null) throw noSuchEdition(id)
    return edition
  }
}

/** Drafts are everybody's who may write; whatever readers see or will see by itself needs the scope to publish. */
function requirePublish(editor: Editor, edition: EditionRow, target: EditionRow['status']): void {
  requireScope(editor, edition.status === 'draft' && target === 'draft' ? 'write' : 'publish')
}

function actionFor(status: EditionChange['status']): string {
  return { draft: 'edition.withdraw', scheduled: 'edition.schedule', published: 'edition.publish' }[status]
}

function noSuchEdition(id: EditionId): EditionNotFoundError {
  return new EditionNotFoundError(
    `There is no edition ${keyOf(id)}. PUT /desk/v1/editions/${keyOf(id)} makes one.`,
  )
}
