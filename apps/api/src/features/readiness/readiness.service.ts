import type { RecipientCounts } from '#features/delivery/index.ts'
import { type DeskReply, replyWith } from '#features/desk/index.ts'
import { addDays, type EditionId, findEdition, keyOf } from '#features/editions/index.ts'
import type { MediaService } from '#features/media/index.ts'
import { listMemos } from '#features/memos/index.ts'
import { toDatabaseDate } from '#platform/database-date.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { listDuplicates } from './duplicates.repository.ts'
import type { LinkChecks } from './link-checks.service.ts'
import { linksOf } from './links-of-memo.ts'
import { toMemoReadiness } from './memo-readiness.ts'
import { fail } from './readiness.errors.ts'

type Deps = Pick<PlatformDeps, 'database'> & {
  linkChecks: Pick<LinkChecks, 'read'>
  recipientCounts: RecipientCounts
  media: MediaService
}

const comparedDays = 30

export type ReadinessService = ReturnType<typeof createReadinessService>

/** Tells editors what to look at before they publish. Nothing of it forbids to publish but a missing title or text. */
export function createReadinessService({ database: { db }, linkChecks, recipientCounts, media }: Deps) {
  return {
    async of(id: EditionId): Promise<DeskReply> {
      const edition = await findEdition(db, id)
      if (edition === null) throw fail('edition-not-found', keyOf(id))
      const memos = await listMemos(db, edition.id)
      const files = memos.flatMap(({ mediaFile }) => (mediaFile === null ? [] : [mediaFile]))
      const [duplicates, pictures, { links, isChecking }, counts] = await Promise.all([
        listDuplicates(db, {
          editionId: edition.id,
          from: toDatabaseDate(addDays(id.date, -comparedDays)),
          to: toDatabaseDate(addDays(id.date, 1)),
        }),
        media.list(files),
        linkChecks.read(memos.flatMap(linksOf)),
        recipientCounts.read(),
      ])
      const facts = { duplicates, links, pictures: new Map(pictures.map((row) => [row.file, row])) }
      return replyWith({
        edition: keyOf(id),
        status: edition.status,
        version: edition.version,
        isChecking,
        memos: memos.map((memo) => toMemoReadiness(memo, facts)),
        ...counts,
      })
    },
  }
}
