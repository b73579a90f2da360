import { describe, expect, it } from 'vitest'
import { formatCursor, mergeNewest, parseCursor } from './newest-comments.ts'

function comment(kind: 'post' | 'thread', place: number, second: number) {
  return { kind, internal_order: BigInt(place), created_at: new Date(Date.UTC(2026, 10, 20, 17, 0, second)) }
}

describe('mergeNewest', () => {
  it('merges two lists, newest first', () => {
    const posts = [comment('post', 9, 50), comment('post', 8, 20)]
    const threads = [comment('thread', 3, 40), comment('thread', 2, 30), comment('thread', 1, 10)]

    const merged = mergeNewest(posts, threads)

    expect(merged.map(({ internal_order }) => internal_order)).toEqual([9n, 3n, 2n, 8n, 1n])
  })

  it("keeps each list's order where creation times disagree", () => {
    const posts = [comment('post', 9, 10), comment('post', 8, 50)]

    expect(
      mergeNewest(posts, [comment('thread', 1, 30)]).map(({ internal_order }) => internal_order),
    ).toEqual([1n, 9n, 8n])
  })
})

describe('formatCursor', () => {
  it('contains the last order shown of each list, or the previous one where nothing was shown', () => {
    const page = [comment('post', 9, 50), comment('post', 8, 40)]

    const next = formatCursor({ post: 12n, thread: 7n }, page)

    expect(next).toBe('8-7')
    expect(parseCursor(next)).toEqual({ post: 8n, thread: 7n })
  })
})
