import type { Db } from '#platform/database.ts'

/** A claim on making a PDF. Its token is new for each holder, as a fencing token. */
export type PdfClaim = { name: string; token: string }

/** Claims a PDF, unless another process holds an unexpired claim. Returns whether it did. */
export async function claimPdf(
  db: Db,
  { name, token }: PdfClaim,
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const claimed = await db.$executeRaw`
    INSERT INTO pdf_claim AS held (name, token, claimed_until) VALUES (${name}, ${token}::uuid, ${until})
    ON CONFLICT (name) DO UPDATE
      SET token = excluded.token, claimed_until = excluded.claimed_until
      WHERE held.claimed_until <= ${now}`
  return claimed === 1
}

/** Returns the claim on a PDF, expired ones included. */
export async function findPdfClaim(db: Db, name: string) {
  return await db.pdfClaim.findUnique({ where: { name } })
}

/** Deletes a claim, unless another process has taken it over. */
export async function releasePdf(db: Db, claim: PdfClaim): Promise<void> {
  await db.pdfClaim.deleteMany({ where: claim })
}

/** Deletes the claims that expired before a time. */
export async function removeExpiredPdfClaims(db: Db, time: Date): Promise<void> {
  await db.pdfClaim.deleteMany({ where: { claimedUntil: { lt: time } } })
}
