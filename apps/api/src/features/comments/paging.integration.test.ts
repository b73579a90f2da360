import type { CommentThread } from '@tidings/contracts/membership/comments'
import { describe, expect } from 'vitest'
import { createTestDiscussion, type TestDiscussion } from '#test/content/discussion.ts'
import { siteTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'

type Item = Pick<CommentThread, 'id' | 'internalOrder'>
type ReadPage = (query: Record<string, string | number>) => Promise<Item[]>

const it = siteTest()
  .extend('talk', { scope: 'file' }, ({ members }) => createTestDiscussion(members))
  .extend('ann', { scope: 'file' }, ({ members }) => members.signUp())
  .extend('ben', { scope: 'file' }, ({ members }) => members.signUp())

/** Reads all pages and calls `meanwhile` after each. Returns the ids in order. */
async function readAll(
  read: ReadPage,
  query: Record<string, string | number>,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const seen: string[] = []
  let page = await read(query)
  while (page.length > 0) {
    seen.push(...page.map(({ id }) => id))
    await meanwhile()
    page = await read({ ...query, after: page.at(-1)?.internalOrder ?? '' })
  }
  return seen
}

type Writers = { talk: TestDiscussion; ann: TestMember; ben: TestMember }

type List = {
  /** In the order of writing. */
  ids: string[]
  read: ReadPage
  add(): Promise<Item>
  remove(id: string): Promise<unknown>
}

let made = 0

/** Creates a list of each kind with `count` comments. */
const lists: Record<string, (writers: Writers, count: number) => Promise<List>> = {
  async posts({ talk, ann, ben }, count) {
    made += 1
    const channel = `paged ${made}`
    const ids: string[] = []
    while (ids.length < count) ids.push((await talk.post(ann, channel)).id)
    return {
      ids,
      read: async (query) => (await talk.posts(channel, query)).posts,
      add: () => talk.post(ben, channel),
      remove: (id) => talk.write(ann, 'DELETE', `/posts/${id}`),
    }
  },
  async threads({ talk, ann, ben }, count) {
    const post = await talk.post(ann, 'paged threads')
    const ids: string[] = []
    while (ids.length < count) ids.push((await talk.thread(ann, post.id)).id)
    return {
      ids,
      read: (query) => talk.threads(post.id, query),
      add: () => talk.thread(ben, post.id),
      remove: (id) => talk.write(ann, 'DELETE', `/threads/${id}`),
    }
  },
}

describe.each(Object.entries(lists))('a list of %s', (_name, make) => {
  it('returns the newest twenty by default', async ({ talk, ann, ben }) => {
    const { ids, read } = await make({ talk, ann, ben }, 23)

    const page = await read({})

    expect(page.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 20))
  })

  it.for(['newest', 'oldest'])(
    'can be read from the %s without gaps or duplicates',
    async (order, { talk, ann, ben }) => {
      const { ids, read } = await make({ talk, ann, ben }, 11)

      const seen = await readAll(read, { order, limit: 3 })

      expect(seen).toEqual(order === 'oldest' ? ids : ids.toReversed())
    },
  )

  it('does not shift when posts are written during reading from the newest', async ({ talk, ann, ben }) => {
    const { ids, read, add } = await make({ talk, ann, ben }, 9)

    expect(await readAll(read, { order: 'newest', limit: 2 }, add)).toEqual(ids.toReversed())
  })

  it('ends with the posts written during reading from the oldest', async ({ talk, ann, ben }) => {
    const { ids, read, add } = await make({ talk, ann, ben }, 5)
    const added: string[] = []

    const seen = await readAll(read, { order: 'oldest', limit: 2 }, async () => {
      if (added.length < 4) added.push((await add()).id)
    })

    expect(seen).toEqual([...ids, ...added])
  })

  it('misses no comment that is written concurrently', async ({ talk, ann, ben }) => {
    const { ids, read, add } = await make({ talk, ann, ben }, 1)
    const added: string[] = []
    const writing = Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let count = 0; count < 10; count += 1) added.push((await add()).id)
      }),
    )

    const seen: string[] = []
    let after: string | undefined
    while (seen.length < 41) {
      const page = await read({ order: 'oldest', limit: 5, ...(after === undefined ? {} : { after }) })
      seen.push(...page.map(({ id }) => id))
      after = page.at(-1)?.internalOrder ?? after
    }
    await writing

    expect(new Set(seen).size).toBe(41)
    expect(seen.toSorted()).toEqual([...ids, ...added].toSorted())
  })

  it('is never longer than the limit, nor than a hundred', async ({ talk, ann, ben }) => {
    const { read } = await make({ talk, ann, ben }, 101)

    const sizes: number[] = []
    for (const limit of [1, 50, 100, 101, 5_000]) sizes.push((await read({ limit })).length)

    expect(sizes).toEqual([1, 50, 100, 100, 100])
  })

  it('continues after a deleted comment', async ({ talk, ann, ben }) => {
    const { ids, read, remove } = await make({ talk, ann, ben }, 4)
    const [first] = await read({})
    await remove(first?.id ?? '')

    const rest = await read({ after: first?.internalOrder ?? '' })

    expect(rest.map(({ id }) => id)).toEqual(ids.toReversed().slice(1))
  })
})
