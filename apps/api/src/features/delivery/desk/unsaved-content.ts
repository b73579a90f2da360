import type { EditionTest } from '@tidings/contracts/desk/deliveries'
import type { UnsavedEdition, UnsavedMemo } from '@tidings/contracts/desk/unsaved'
import type { CalendarDate } from '@tidings/contracts/edition-key'
import { limits } from '@tidings/contracts/limits'
import {
  type EditionId,
  type EditionRow,
  findEdition,
  getEditionId,
  idOf,
  keyOf,
  listOfDay,
} from '#features/editions/index.ts'
import type { MediaService } from '#features/media/index.ts'
import { listMemos, type MemoRow, toUnsavedRow } from '#features/memos/index.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { fail } from '../delivery.errors.ts'
import type { DeliveryContent } from '../delivery-email.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock'> & {
  media: Pick<MediaService, 'require'>
  siteLanguage: string
}

/** Fits the memos of an edition, as stored twice over. */
export const unsavedBodyLimit = 4 * limits.memosPerEdition * limits.memoContentCharacters

export type UnsavedContent = ReturnType<typeof createUnsavedContent>

/** Makes the content of messages from text that isn't saved, for previews and tests. It stores nothing. */
export function createUnsavedContent({ database: { db }, clock, media, siteLanguage }: Deps) {
  /** Returns the rows that memos would be. Throws `invalid-request` for a picture that wasn't uploaded. */
  async function rowsOf(edition: EditionRow, memos: readonly UnsavedMemo[]): Promise<MemoRow[]> {
    const stored = new Map((await listMemos(db, edition.id)).map((memo) => [memo.id, memo]))
    const isPublic = edition.status === 'published'
    const place = { editionId: edition.id, isPublic, siteLanguage, now: clock.now() }
    const rows = memos.map((memo, index) =>
      toUnsavedRow(memo, { ...place, position: index + 1, stored: stored.get(memo.id ?? '') ?? null }),
    )
    for (const file of filesOf(rows)) await media.require(db, file)
    return rows
  }

  /** Returns an edition, with memos and a subject that may be unsaved. Throws `edition-not-found`. */
  async function partOf(
    id: EditionId,
    { memos, subject }: Pick<EditionTest, 'memos' | 'subject'>,
  ): Promise<DeliveryContent['editions'][number]> {
    const edition = await findEdition(db, id)
    if (edition === null) throw fail('edition-not-found', keyOf(id))
    return {
      edition: subject === undefined ? edition : { ...edition, subject },
      memos: memos === undefined ? await listMemos(db, edition.id) : await rowsOf(edition, memos),
    }
  }

  return {
    async ofEdition(
      id: EditionId,
      unsaved: Pick<EditionTest, 'memos' | 'subject'>,
    ): Promise<DeliveryContent> {
      const part = await partOf(id, unsaved)
      if (part.memos.length === 0) throw fail('edition-not-found')
      return {
        kind: 'memo',
        date: idOf(part.edition).date,
        editions: [part],
        isPreview: true,
        isUnsaved: true,
      }
    },

    /** Returns the digest of a day with its drafts. Throws `digest-empty`. */
    async ofDigest(date: CalendarDate, unsaved: UnsavedEdition | undefined): Promise<DeliveryContent> {
      const written = unsaved === undefined ? null : await partOf(getEditionId(unsaved.edition), unsaved)
      const editions = []
      for (const edition of await listOfDay(db, date)) {
        const memos = edition.id === written?.edition.id ? written.memos : await listMemos(db, edition.id)
        if (memos.length > 0) editions.push({ edition, memos })
      }
      if (editions.length === 0) throw fail('digest-empty')
      return { kind: 'digest', date, editions, isPreview: true, isUnsaved: true }
    },
  }
}

/** Returns the pictures of memos, each once. */
export function filesOf(memos: readonly MemoRow[]): string[] {
  return [...new Set(memos.flatMap(({ mediaFile }) => (mediaFile === null ? [] : [mediaFile])))]
}
