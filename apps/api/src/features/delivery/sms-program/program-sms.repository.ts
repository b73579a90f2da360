import type { Db } from '#platform/database.ts'

/** A number and the time of its verification, whose text is sent once. */
export type Verification = { memberId: string; verifiedAt: Date }

/** A text that a worker began to send before. */
type ClaimedSms = { number: string; claimedAt: Date | null }

const unended = ({ memberId, verifiedAt }: Verification) => ({
  memberId,
  verifiedAt,
  programTextEndedAt: null,
})

/** Returns the number of a verification whose text has not ended; null if it has, or if the number was verified again. */
export async function findUnendedSms(db: Db, verification: Verification): Promise<ClaimedSms | null> {
  const row = await db.memberPhone.findFirst({
    where: unended(verification),
    select: { number: true, programTextClaimedAt: true },
  })
  return row === null ? null : { number: row.number, claimedAt: row.programTextClaimedAt }
}

/** Claims an unclaimed text, or one whose claim at this time is void. Returns whether this worker now has it. */
export async function claimProgramSms(
  db: Db,
  verification: Verification,
  { voidClaim, now }: { voidClaim: Date | null; now: Date },
): Promise<boolean> {
  const where = { ...unended(verification), programTextClaimedAt: voidClaim }
  return (await db.memberPhone.updateMany({ where, data: { programTextClaimedAt: now } })).count === 1
}

/** Releases a text that was certainly not sent. */
export async function releaseProgramSms(db: Db, verification: Verification): Promise<void> {
  const data = { programTextClaimedAt: null }
  await db.memberPhone.updateMany({ where: unended(verification), data })
}

export async function endProgramSms(db: Db, verification: Verification, now: Date): Promise<void> {
  await db.memberPhone.updateMany({ where: unended(verification), data: { programTextEndedAt: now } })
}

/** Returns whether nothing is sent to a number. */
export async function isNumberSuppressed(db: Db, number: string): Promise<boolean> {
  return (await db.suppression.count({ where: { address: number, suppressedAt: { not: null } } })) > 0
}
