import type { Db } from '#platform/database.ts'

/** Claims a captcha's solution: the first caller wins. */
export async function claimSolution(db: Db, solutionHash: string, expiresAt: Date): Promise<boolean> {
  const data = [{ solutionHash, expiresAt }]
  return (await db.usedCaptcha.createMany({ data, skipDuplicates: true })).count === 1
}

export async function removeOldSolutions(db: Db, before: Date): Promise<void> {
  await db.usedCaptcha.deleteMany({ where: { expiresAt: { lt: before } } })
}
