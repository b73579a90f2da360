import type { Db } from '#platform/database.ts'

/** Returns a memo's number of likes, the same at every start. */
export function likesOf(title: string): number {
  const sum = [...title].reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 9973, 7)
  return sum % 43
}

/** Adds likes of new readers to a memo. */
export async function seedLikes(tx: Db, memoId: string, count: number): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO memo_like (memo_id, reader_id)
    SELECT ${memoId}::uuid, gen_random_uuid() FROM generate_series(1, ${count})`
  await tx.memo.update({ where: { id: memoId }, data: { likeCount: count } })
}
