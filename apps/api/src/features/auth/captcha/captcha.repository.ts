import type { Db } from '#platform/database.ts'

/** Takes a captcha's solution: the first caller wins. */
export async function claimSolution(db: Db, solutionHash: string, expiresAt: Date): Promise<boolean> {
  const { count } = await db.usedCaptcha.createMany({
    data: [{ solutionHash, expiresAt }],
    skipDuplicates: true,
  })
  return count === 1
}

export async function removeOldSolutions(db: Db, before: Date): Promise<void> {
  await db.usedCaptcha.deleteMany({ where: { expiresAt: { lt: before } } })
}
