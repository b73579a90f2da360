import { type DeliveryMethod, Prisma } from '#generated/prisma/client.ts'
import { sharedEmail } from '../methods.ts'
import { type RecipientRules, recipients } from './recipients.repository.ts'

/** The reason of a delivery whose PDF could not be made. */
const pdfFailed = 'render The PDF could not be rendered.'

/** A PDF whose member also gets memos waits for these, because both are one message. */
const waitsForMemos = Prisma.sql`coalesce((
  SELECT memo.state::text IN ('planned', 'sending') FROM delivery AS memo
  WHERE memo.run_id = delivery.run_id AND memo.member_id = delivery.member_id AND memo.method = ${sharedEmail.memos}::delivery_method
), false)`

/** Selects the rows of `delivery` by these methods that have messages of their own. */
export function hasOwnMessage(methods: readonly DeliveryMethod[]): Prisma.Sql {
  if (!methods.includes(sharedEmail.pdf)) return Prisma.sql`true`
  return Prisma.sql`(delivery.method <> ${sharedEmail.pdf}::delivery_method OR NOT ${waitsForMemos})`
}

/**
 * Adds, to the rows that start messages by a method (`checked`), those that the same messages carry, as `found`. A PDF goes
 * with its member's memos. If its pages can't be made, it fails at once, and the message goes without it.
 */
export function withCarried(
  runId: number,
  {
    method,
    rules,
    unrendered,
  }: { method: DeliveryMethod; rules: RecipientRules; unrendered: readonly string[] },
): Prisma.Sql {
  const own = Prisma.sql`
    SELECT id, id AS message_id, is_probe, address, pdf_format, link_version, obstacle AS reason, edition_version, stop_notice,
      CASE WHEN obstacle IS NULL THEN 'sending' ELSE 'suppressed' END AS state
    FROM checked`
  if (method !== sharedEmail.memos) return Prisma.sql`found AS (${own})`
  const isFailed = Prisma.sql`recipient.pdf_format::text = ANY(${[...unrendered]}::text[])`
  // States as text, because the index on them would be read for the whole run.
  return Prisma.sql`carried AS (
      SELECT
        pdf.id, checked.id AS message_id, false AS is_probe, recipient.address, recipient.pdf_format, checked.link_version,
        CASE WHEN ${isFailed} THEN ${pdfFailed} END AS reason, checked.edition_version, false AS stop_notice,
        CASE WHEN ${isFailed} THEN 'failed' ELSE 'sending' END AS state
      FROM checked
      JOIN delivery AS pdf
        ON pdf.run_id = ${runId} AND pdf.member_id = checked.member_id AND pdf.method = ${sharedEmail.pdf}::delivery_method
        AND (pdf.state::text = 'planned' OR (pdf.state::text = 'failed' AND pdf.reason = ${pdfFailed}))
      JOIN (${recipients(rules, [sharedEmail.pdf])}) AS recipient
        ON recipient.id = checked.member_id AND recipient.obstacle IS NULL
      WHERE checked.obstacle IS NULL
      FOR UPDATE OF pdf SKIP LOCKED
    ), found AS (${own} UNION ALL SELECT * FROM carried)`
}
