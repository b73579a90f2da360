import type { Db } from '#platform/database.ts'

/** How many readers like a seeded memo: the same at every start, different from memo to memo. */
export function likesOf(title: string): number {
  const sum = [...title].reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 9973, 7)
  return sum % 43
}

/** Stores likes of so many readers, and counts them. */
export async function seedLikes(tx: Db, memoId: string, count: number): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO memo_like (memo_id, reader_id)
    SELECT ${memoId}::uuid, gen_random_uuid() FROM generate_series(1, ${count})`
  await tx.memo.update({ where: { id: memoId }, data: { likeCount: count } })
}
