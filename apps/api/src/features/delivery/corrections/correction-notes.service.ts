import type { CorrectionNoteStatus, EditionReach } from '@tidings/contracts/desk/writing/corrections'
import { type ChangeService, type DeskReply, type Requester, replyWith } from '#features/desk/index.ts'
import { type EditionId, type EditionRow, findEdition, idOf, keyOf } from '#features/editions/index.ts'
import { getMemo, type MemoRow } from '#features/memos/index.ts'
import type { Db } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { fail } from '../delivery.errors.ts'
import { sendCorrection } from '../delivery.jobs.ts'
import {
  areArchived,
  type Corrected,
  countByOutcome,
  countMailboxes,
  countOldTexts,
  countWaiting,
  createNote,
  findNote,
  planNote,
  readEpoch,
} from './corrections.repository.ts'

export type CorrectionNoteDeps = Pick<PlatformDeps, 'database' | 'clock' | 'ids' | 'jobs'> & {
  changes: ChangeService
}

export type CorrectionNotes = ReturnType<typeof createCorrectionNotes>

/** Offers editors to tell members about a correction of what they got. Nothing is ever sent without being asked for. */
export function createCorrectionNotes({ database, clock, ids, jobs, changes }: CorrectionNoteDeps) {
  async function statusOf(db: Db, memo: MemoRow & { edition: EditionRow }): Promise<CorrectionNoteStatus> {
    const corrected = correctedOf(memo)
    const place = placeOf(memo)
    const note = corrected === null ? null : await findNote(db, corrected)
    return {
      memo: memo.id,
      correctedAt: corrected?.correctedAt.toISOString() ?? null,
      gotOldText: corrected === null ? 0 : await countOldTexts(db, corrected),
      gotText: (await areArchived(db, place))
        ? null
        : await countOldTexts(db, { ...place, correctedAt: clock.now() }),
      waiting: await countWaiting(db, place),
      note:
        note === null
          ? null
          : { ...(await progressOf(db, note.id)), text: note.note, askedAt: note.createdAt.toISOString() },
    }
  }

  return {
    async read(memoId: string): Promise<DeskReply> {
      return replyWith(await statusOf(database.db, await getMemo(database.db, memoId)))
    },

    /** Tells how many members have an edition in their mail. Throws `edition-not-found`. */
    async reach(id: EditionId): Promise<DeskReply> {
      const edition = await findEdition(database.db, id)
      if (edition === null) throw fail('edition-not-found')
      const reach: EditionReach = { mailboxes: await countMailboxes(database.db, edition) }
      return replyWith(reach)
    },

    /** Sends a note to the members who got the old text; once for each correction. Throws `nothing-to-correct`. */
    async send(requester: Requester, memoId: string, text: string): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const memo = await getMemo(tx, memoId)
        const corrected = correctedOf(memo)
        if (corrected === null) throw fail('nothing-to-correct')
        const note = {
          id: ids.uuid(),
          memoId,
          correctedAt: corrected.correctedAt,
          note: text,
          createdAt: clock.now(),
          epoch: await readEpoch(tx),
        }
        if (await createNote(tx, note)) {
          const members = await planNote(tx, note.id, corrected, clock.now())
          if (members === 0) throw fail('nothing-to-correct')
          await jobs.enqueue(tx, sendCorrection, { noteId: note.id })
          await audit('memo.correction-note', keyOf(idOf(memo.edition)), {
            memo: memoId,
            note: text,
            members,
          })
        }
        return replyWith(await statusOf(tx, memo))
      })
    },
  }
}

function placeOf({ id: memoId, editionId, edition }: MemoRow & { edition: EditionRow }) {
  return { memoId, editionId, editionDate: edition.date }
}

/** Returns the last correction of a memo that readers have; null without one. */
function correctedOf(memo: MemoRow & { edition: EditionRow }): Corrected | null {
  const { textChangedAt: correctedAt } = memo
  return correctedAt === null || memo.edition.status !== 'published'
    ? null
    : { ...placeOf(memo), correctedAt }
}

async function progressOf(db: Db, noteId: string) {
  const counts = await countByOutcome(db, noteId)
  const of = (...states: Parameters<typeof counts.get>[0][]) =>
    states.reduce((sum, state) => sum + (counts.get(state) ?? 0), 0)
  return {
    sent: of('sent'),
    waiting: of('planned', 'sending'),
    unconfirmed: of('unconfirmed'),
    notDelivered: of('not_delivered'),
  }
}
