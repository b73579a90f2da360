import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, vi } from 'vitest'
import { createTestDiscussion, type TestDiscussion } from '#test/content/discussion.ts'
import type { TestDesk } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { waitOptions } from '#test/wait-options.ts'

const it = siteTest()
  .extend('talk', { scope: 'file' }, ({ members }) => createTestDiscussion(members))
  .extend('ann', { scope: 'file' }, ({ members }) => members.signUp())
  .extend('ben', { scope: 'file' }, ({ members }) => members.signUp())

  /** Runs `work` in a transaction and rolls it back. */
  .extend(
    'inTransaction',
    { scope: 'file' },
    ({ site }) =>
      async (work: (query: Query) => Promise<void>): Promise<void> => {
        const client = await site.context.database.pool.connect()
        try {
          await client.query('BEGIN')
          await work((sql, values) => client.query(sql, values))
        } finally {
          await client.query('ROLLBACK')
          client.release()
        }
      },
  )

  /** Resolves when a call waits for a lock of the transaction. */
  .extend('callIsBlocked', { scope: 'file' }, ({ site }) => async (): Promise<void> => {
    await vi.waitFor(async () => {
      const { rows } = await site.context.database.pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      expect(rows).toHaveLength(1)
    }, waitOptions)
  })

type Query = (sql: string, values?: unknown[]) => Promise<unknown>

describe('concurrent writers', () => {
  it('store comments in order, so that no `internalOrder` appears before a lower one', async ({
    talk,
    ann,
    ben,
    inTransaction,
    callIsBlocked,
  }) => {
    await talk.post(ann, 'places', 'There before')
    let second: Promise<{ internalOrder: string }> | undefined
    await inTransaction(async (query) => {
      await query(`SELECT id FROM comment_channel WHERE key = 'places' FOR NO KEY UPDATE`)
      second = talk.post(ben, 'places', 'Second')
      await callIsBlocked()
      // The first writer draws its number while the second waits, so the first must be lower.
      await query(`SELECT nextval('comment_post_internal_order_seq') AS place`)
      expect((await talk.posts('places')).totalCount).toBe(1)
    })

    const [before] = (await talk.posts('places', { order: 'oldest' })).posts
    expect(Number((await second)?.internalOrder)).toBe(Number(before?.internalOrder) + 2)
  })

  it('store threads of one post in order', async ({ talk, ann, ben, inTransaction, callIsBlocked }) => {
    const post = await talk.post(ann, 'thread places')
    const before = await talk.thread(ann, post.id)
    let second: Promise<{ internalOrder: string }> | undefined
    await inTransaction(async (query) => {
      await query('SELECT id FROM comment_post WHERE id = $1 FOR NO KEY UPDATE', [post.id])
      second = talk.thread(ben, post.id)
      await callIsBlocked()
      await query(`SELECT nextval('comment_thread_internal_order_seq') AS place`)
    })

    expect(Number((await second)?.internalOrder)).toBe(Number(before.internalOrder) + 2)
  })

  it('do not wait for a writer in another channel', async ({ talk, ann, ben, inTransaction }) => {
    await talk.post(ann, 'slow channel')
    await inTransaction(async (query) => {
      await query(`SELECT id FROM comment_channel WHERE key = 'slow channel' FOR NO KEY UPDATE`)

      expect((await talk.post(ben, 'other channel')).content).toBe('A post')
    })
  })
})

// Transactions that lock the same rows in another order would deadlock.
describe('a call that waits for the deletion of a post or thread', () => {
  type Callers = { talk: TestDiscussion; desk: TestDesk; ann: TestMember; ben: TestMember }
  type Call = (callers: Callers, postId: string, threadId: string) => Promise<LightMyRequestResponse>
  type Case = [name: string, held: 'comment_post' | 'comment_thread', call: Call, needed: string]

  const cases: Case[] = [
    [
      'voting on the post',
      'comment_post',
      ({ talk, ben }, post) => talk.vote(ben, post, 'DOWN'),
      'SELECT 1 FROM comment_post_vote WHERE post_id = $1 FOR UPDATE NOWAIT',
    ],
    [
      'removing the vote',
      'comment_post',
      ({ talk, ben }, post) => talk.vote(ben, post, 'NONE'),
      'SELECT 1 FROM comment_post_vote WHERE post_id = $1 FOR UPDATE NOWAIT',
    ],
    [
      'voting on the thread',
      'comment_thread',
      ({ talk, ben }, _post, thread) => talk.vote(ben, thread, 'DOWN', 'threads'),
      'SELECT 1 FROM comment_thread_vote WHERE thread_id = $1 FOR UPDATE NOWAIT',
    ],
    [
      'deleting a thread of the post',
      'comment_post',
      ({ talk, ann }, _post, thread) => talk.write(ann, 'DELETE', `/threads/${thread}`),
      'SELECT 1 FROM comment_thread WHERE post_id = $1 FOR UPDATE NOWAIT',
    ],
    [
      'hiding a thread of the post',
      'comment_post',
      ({ desk }, _post, thread) => desk.call('PATCH', `/comments/${thread}`, { body: { hidden: true } }),
      'SELECT 1 FROM comment_thread WHERE post_id = $1 FOR UPDATE NOWAIT',
    ],
  ]

  it.for(cases)(
    'locks no row that the deletion needs: %s',
    async ([name, table, call, needed], { talk, desk, ann, ben, inTransaction, callIsBlocked }) => {
      const post = await talk.post(ann, name)
      const thread = await talk.thread(ann, post.id)
      await talk.vote(ben, post.id, 'UP')
      await talk.vote(ben, thread.id, 'UP', 'threads')
      const held = table === 'comment_post' ? post.id : thread.id
      let waiting: Promise<LightMyRequestResponse> | undefined
      await inTransaction(async (query) => {
        await query(`SELECT id FROM ${table} WHERE id = $1 FOR UPDATE`, [held])
        waiting = call({ talk, desk, ann, ben }, post.id, thread.id)
        await callIsBlocked()

        await expect(query(needed, [held])).resolves.toBeDefined()
      })

      expect((await waiting)?.statusCode).toBe(200)
    },
  )

  it('locks no row that the deletion needs: deleting an account with replies and votes on the post', async ({
    members,
    talk,
    ann,
    inTransaction,
    callIsBlocked,
  }) => {
    const leaver = await members.signUp()
    const post = await talk.post(ann, 'left')
    const thread = await talk.thread(leaver, post.id)
    await talk.vote(leaver, post.id, 'UP')
    await talk.vote(leaver, thread.id, 'UP', 'threads')
    let waiting: Promise<LightMyRequestResponse> | undefined
    await inTransaction(async (query) => {
      await query('SELECT id FROM comment_post WHERE id = $1 FOR UPDATE', [post.id])
      waiting = members.call('DELETE', '/member', { headers: leaver.headers })
      await callIsBlocked()

      const needed = 'SELECT 1 FROM comment_thread WHERE post_id = $1 FOR UPDATE NOWAIT'
      await expect(query(needed, [post.id])).resolves.toBeDefined()
    })

    expect((await waiting)?.statusCode).toBe(200)
    expect((await talk.posts('left')).posts[0]?._count).toEqual({ Threads: 0, likedBy: 0, dislikedBy: 0 })
  })
})
