/** How far two lists have been read: the last place that was shown of each. */
export type ReadUpTo = { post: bigint; thread: bigint }

type Placed = { kind: 'post' | 'thread'; internal_order: bigint; created_at: Date }

// Beyond every place that there is.
const beginning = 999_999_999_999_999_999n

/** Reads a `next`, such as `1200-88`; without one nothing has been read yet. */
export function parsePlace(next: string | undefined): ReadUpTo {
  const [post = beginning, thread = beginning] = next?.split('-').map(BigInt) ?? []
  return { post, thread }
}

/** The `next` after a page that began at a place. */
export function formatPlace(from: ReadUpTo, page: readonly Placed[]): string {
  const lastOf = (kind: Placed['kind']) =>
    page.findLast((comment) => comment.kind === kind)?.internal_order ?? from[kind]
  return `${lastOf('post')}-${lastOf('thread')}`
}

/**
 * Two lists as one, the newest first. Each keeps its own order, even where the times of day of two processes differ, so
 * that the places of a page's last items say what was shown.
 */
export function mergeNewest<T extends Placed>(posts: readonly T[], threads: readonly T[]): T[] {
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
