import { dateInZone, idOf } from '#features/editions/index.ts'
import { getMemo } from '#features/memos/index.ts'
import type { BulkMailer, BulkResult } from '#integrations/mail/bulk-mailer.ts'
import { hasCode } from '#platform/errors.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { oneLine } from '#platform/text/one-line.ts'
import { cutWords, maxSubjectCharacters } from '../content/email/email-headers.ts'
import { sendCorrection } from '../delivery.jobs.ts'
import type { DeliveryEmail, DeliveryRecipient, PrepareDeliveryEmail } from '../delivery-email.ts'
import { replyOf } from '../transports.ts'
import {
  type ClaimedCorrection,
  type CorrectionNoteRow,
  claimCorrections,
  countByOutcome,
  endLost,
  endRestored,
  findNoteById,
  giveUp,
  readEpoch,
  storeOutcome,
} from './corrections.repository.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'jobs'> & {
  prepareEmail: PrepareDeliveryEmail
  bulkMailer: BulkMailer
  appId: string
  pushKey: string | null
  timeZone: string
}

type Fill = (recipient: DeliveryRecipient) => DeliveryEmail

const minuteMs = 60_000
const lostMs = 15 * minuteMs
const triedMs = 24 * 60 * minuteMs
const retrySeconds = 120

/** Sends the notes about a correction: each member's is claimed before it is handed over, and never handed over again. */
export function createCorrectionSending(deps: Deps) {
  const { database, clock, jobs, prepareEmail, bulkMailer } = deps
  const { db } = database

  /** Returns a function that renders the memo as it is now, once for each method; null if readers no longer have it. */
  async function openMemo(
    note: CorrectionNoteRow,
  ): Promise<((method: DeliveryRecipient['method']) => Promise<Fill>) | null> {
    const memo = await getMemo(db, note.memoId).catch((error: unknown) => {
      if (hasCode(error, 'memo-not-found')) return null
      throw error
    })
    if (memo?.edition.status !== 'published') return null
    const { edition } = memo
    const subject = cutWords(`Correction: ${oneLine(memo.title)}`, maxSubjectCharacters)
    const fills = new Map<DeliveryRecipient['method'], Promise<Fill>>()
    const prepare = async (method: DeliveryRecipient['method']): Promise<Fill> => {
      const kind = method === 'digest' ? 'digest' : 'memo'
      const content = {
        kind,
        date: idOf(edition).date,
        editions: [{ edition, memos: [memo] }],
        correction: note.note,
      } as const
      const fill = await prepareEmail(content, { methods: [method], pdf: null })
      // The return address is that of the delivery, which has arrived.
      return (recipient) => ({ ...fill(recipient), subject, envelopeFrom: null })
    }
    return async (method) => {
      const fill = fills.get(method) ?? prepare(method)
      fills.set(method, fill)
      return await fill
    }
  }

  async function hand(
    noteId: string,
    fill: Fill,
    claimed: ClaimedCorrection,
  ): Promise<BulkResult['outcome']> {
    const { address: to, memberId } = claimed
    const result = await bulkMailer.send({
      ...fill(claimed),
      to,
      messageId: `correction-${noteId}-${claimed.deliveryId}`,
    })
    await storeOutcome(db, noteId, memberId, toOutcome(result), clock.now())
    return result.outcome
  }

  return {
    /** Sends what is planned of a note, and comes back for what the server refuses for now. */
    async send(noteId: string): Promise<void> {
      const note = await findNoteById(db, noteId)
      const open = note === null ? null : await openMemo(note)
      if (note === null || open === null) return
      const now = clock.now()
      if (note.epoch !== (await readEpoch(db))) return await endRestored(db, noteId, now)
      await endLost(db, noteId, { before: new Date(now.getTime() - lostMs), now })
      const rules = { ...deps, today: dateInZone(now, deps.timeZone) }
      const tried: string[] = []
      for (;;) {
        const limit = bulkMailer.concurrency * 5
        const batch = await claimCorrections(db, noteId, { limit, without: tried, rules, now: clock.now() })
        const outcomes = await Promise.all(
          batch
            .filter(({ state }) => state === 'sending')
            .map(async (claimed) => ({
              claimed,
              outcome: await hand(noteId, await open(claimed.method), claimed),
            })),
        )
        const waiting = outcomes.filter(({ outcome }) => outcome === 'temporary' || outcome === 'unavailable')
        tried.push(...waiting.map(({ claimed }) => claimed.memberId))
        if (batch.length === 0 || outcomes.some(({ outcome }) => outcome === 'unavailable')) break
      }
      const counts = await countByOutcome(db, noteId)
      if (!counts.has('planned') && !counts.has('sending')) return
      if (clock.now().getTime() - note.createdAt.getTime() > triedMs)
        return await giveUp(db, noteId, clock.now())
      await jobs.enqueue(db, sendCorrection, { noteId }, { startAfter: { seconds: retrySeconds } })
    },
  }
}

function toOutcome(result: BulkResult) {
  if (result.outcome === 'accepted') return { state: 'sent', reason: null } as const
  const reason = replyOf(result).slice(0, 300)
  if (result.outcome === 'unknown') return { state: 'unconfirmed', reason } as const
  return { state: result.outcome === 'permanent' ? 'not_delivered' : 'planned', reason } as const
}
