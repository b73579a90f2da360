import type { Db } from '#platform/database.ts'

const postsAtOnce = 1_000

/** Creates posts by the same member and in the same channel as an existing one. */
export async function writeManyPosts(
  db: Db,
  postId: string,
  { count, characters }: { count: number; characters: number },
): Promise<void> {
  // Several statements, because each has a time limit.
  for (let first = 1; first <= count; first += postsAtOnce) {
    const last = Math.min(count, first + postsAtOnce - 1)
    await db.$executeRaw`
      INSERT INTO comment_post (id, channel_id, member_id, content, created_at)
      SELECT 'cmt_' || md5(${postId} || n)::varchar(24), channel_id, member_id,
        left(repeat(md5(n::text), ${Math.ceil(characters / 32)}::int), ${characters}::int), created_at
      FROM comment_post, generate_series(${first}::int, ${last}::int) AS n
      WHERE id = ${postId}`
  }
}
