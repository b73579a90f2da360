import type { DeskEdition, EditionChange } from '@tidings/contracts/desk/editions'
import { type EditionRow, lockEditionById, type Publishing, toDeskEdition } from '#features/editions/index.ts'
import { listMemos, type MemoService, toDeskMemo } from '#features/memos/index.ts'
import type { Db } from '#platform/database.ts'
import { invalidField } from '#platform/fields.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { fail } from '../desk.errors.ts'
import type { Editor } from '../requests/editor.ts'
import { createBringIn, recordPublished, requireComplete } from '../writing/edition-texts.ts'
import { listWorkingCopies } from '../writing/memo-state.ts'

export type EditionStatusDeps = Pick<DeskDeps, 'siteLanguage' | 'clock'> & {
  publishing: Publishing
  memos: MemoService
}

/** Changes the status of editions as editors ask for it. The caller has locked the edition. */
export function createEditionStatus({ publishing, memos, siteLanguage, clock }: EditionStatusDeps) {
  async function withMemos(db: Db, edition: EditionRow): Promise<DeskEdition> {
    const rows = await listMemos(db, edition.id)
    const workingCopies = await listWorkingCopies(db, edition)
    return {
      ...toDeskEdition(edition, {
        memoCount: rows.length,
        readyCount: rows.filter(({ isReady }) => isReady).length,
      }),
      orderVersion: edition.orderVersion,
      memos: rows.map((row) => toDeskMemo(row, edition)),
      workingCopies,
    }
  }

  const bringIn = createBringIn({ memos, siteLanguage })

  async function apply(
    tx: Db,
    before: EditionRow,
    { status, deliver, publishAt, subject }: EditionChange,
    editor: Editor,
  ): Promise<EditionRow> {
    const edition = subject === undefined ? before : await publishing.name(tx, before, subject)
    if (publishAt !== undefined && status !== 'scheduled')
      throw invalidField('publishAt', 'is only for an edition that is scheduled')
    if (status === 'draft') {
      const draft = await publishing.withdraw(tx, edition, deliver)
      await bringIn(tx, draft, editor)
      return (await lockEditionById(tx, draft.id)) ?? draft
    }
    // Scheduling again applies a slot time that has changed since.
    const at = publishAt === undefined ? undefined : new Date(publishAt)
    if (status === 'scheduled') return await publishing.schedule(tx, edition, { deliver, at })
    return await publishNow(tx, edition, editor, deliver)
  }

  async function publishNow(
    tx: Db,
    edition: EditionRow,
    editor: Editor,
    deliver: boolean | undefined,
  ): Promise<EditionRow> {
    if (edition.status === 'published') return await publishing.publish(tx, edition, { deliver })
    await requireComplete(tx, edition)
    const stored = await publishing.publish(tx, edition, { deliver })
    await recordPublished(tx, stored, editor, clock.now())
    return stored
  }

  /** Throws `version-conflict`, with who changed the edition, unless `read` is its version; `version-required` if null. */
  async function requireSeen(tx: Db, edition: EditionRow, read: number | null): Promise<void> {
    if (read === null) throw fail('version-required')
    if (read === edition.version) return
    const current = await withMemos(tx, edition)
    const [last] = current.memos.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))
    const by = last?.savedBy ?? ''
    throw fail('version-conflict', read, edition.version, { by, reply: { current } })
  }

  return { withMemos, apply, publishNow, requireSeen }
}
