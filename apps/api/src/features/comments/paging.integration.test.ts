import type { CommentThread } from '@tidings/contracts/comments'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDiscussion, type TestDiscussion } from '#test/discussion.ts'
import { createTestMembers, type TestMember } from '#test/membership.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'

type Item = Pick<CommentThread, 'id' | 'internalOrder'>
type ReadPage = (query: Record<string, string | number>) => Promise<Item[]>

let site: TestApp
let talk: TestDiscussion
let ann: TestMember
let ben: TestMember

beforeAll(async () => {
  site = await startTestApp({ databaseUrl: await createTestDatabase() })
  const members = createTestMembers(site)
  talk = createTestDiscussion(members)
  ann = await members.signUp()
  ben = await members.signUp()
})
afterAll(() => site.close())

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

type List = {
  /** In the order of writing. */
  ids: string[]
  read: ReadPage
  add(): Promise<Item>
  remove(id: string): Promise<unknown>
}

let made = 0

/** Creates a list of each kind with `count` comments. */
const lists: Record<string, (count: number) => Promise<List>> = {
  async posts(count) {
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
  async threads(count) {
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
  it('returns the newest twenty by default', async () => {
    const { ids, read } = await make(23)

    const page = await read({})

    expect(page.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 20))
  })

  it.each(['newest', 'oldest'])('can be read from the %s without gaps or duplicates', async (order) => {
    const { ids, read } = await make(11)

    const seen = await readAll(read, { order, limit: 3 })

    expect(seen).toEqual(order === 'oldest' ? ids : ids.toReversed())
  })

  it('does not shift when posts are written during reading from the newest', async () => {
    const { ids, read, add } = await make(9)

    expect(await readAll(read, { order: 'newest', limit: 2 }, add)).toEqual(ids.toReversed())
  })

  it('ends with the posts written during reading from the oldest', async () => {
    const { ids, read, add } = await make(5)
    const added: string[] = []

    const seen = await readAll(read, { order: 'oldest', limit: 2 }, async () => {
      if (added.length < 4) added.push((await add()).id)
    })

    expect(seen).toEqual([...ids, ...added])
  })

  it('misses no comment that is written concurrently', async () => {
    const { ids, read, add } = await make(1)
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

  it('is never longer than the limit, nor than a hundred', async () => {
    const { read } = await make(104)

    const sizes: number[] = []
    for (const limit of [1, 50, 100, 101, 5_000]) sizes.push((await read({ limit })).length)

    expect(sizes).toEqual([1, 50, 100, 100, 100])
  })

  it('continues after a deleted comment', async () => {
    const { ids, read, remove } = await make(4)
    const [first] = await read({})
    await remove(first?.id ?? '')

    const rest = await read({ after: first?.internalOrder ?? '' })

    expect(rest.map(({ id }) => id)).toEqual(ids.toReversed().slice(1))
  })
})
