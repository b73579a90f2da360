/** The last `internal_order` that a page showed of each list. */
export type Cursor = { post: bigint; thread: bigint }

type Ordered = { kind: 'post' | 'thread'; internal_order: bigint; created_at: Date }

// Greater than every internal order.
const beginning = 999_999_999_999_999_999n

/** Parses a `next`, such as `1200-88`. Without one, the first page follows. */
export function parseCursor(next: string | undefined): Cursor {
  const [post = beginning, thread = beginning] = next?.split('-').map(BigInt) ?? []
  return { post, thread }
}

/** Returns the `next` of a page that began at a cursor. */
export function formatCursor(from: Cursor, page: readonly Ordered[]): string {
  const lastOf = (kind: Ordered['kind']) =>
    page.findLast((comment) => comment.kind === kind)?.internal_order ?? from[kind]
  return `${lastOf('post')}-${lastOf('thread')}`
}

/** Merges two lists by creation time, newest first. Keeps each list's own order even if process clocks differ. */
export function mergeNewest<T extends Ordered>(posts: readonly T[], threads: readonly T[]): T[] {
  const merged: T[] = []
  let [nextPost, nextThread] = [0, 0]
  while (true) {
    const [post, thread] = [posts[nextPost], threads[nextThread]]
    if (post !== undefined && (thread === undefined || post.created_at >= thread.created_at)) {
      merged.push(post)
      nextPost += 1
    } else if (thread !== undefined) {
      merged.push(thread)
      nextThread += 1
    } else {
      return merged
    }
  }
}
