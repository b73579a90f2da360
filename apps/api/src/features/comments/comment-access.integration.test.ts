import { describe, expect } from 'vitest'
import { createTestDiscussion } from '#test/content/discussion.ts'
import { refusalOf } from '#test/desk.ts'
import { addApp } from '#test/factories/membership-apps.ts'
import { siteTest } from '#test/fixtures.ts'

const unknownId = `cmt_${'a'.repeat(24)}`

const it = siteTest()
  .extend('talk', { scope: 'file' }, ({ members }) => createTestDiscussion(members))
  .extend('ann', { scope: 'file' }, ({ members }) => members.signUp())
  .extend('ben', { scope: 'file' }, ({ members }) => members.signUp({ customFields: { name: 'Ben' } }))

/** Returns every call that changes or deletes a post or thread. */
function callsOn(postId: string, threadId: string) {
  return [
    { method: 'PATCH', path: `/posts/${postId}/update`, body: { content: 'Mine now' } },
    { method: 'DELETE', path: `/posts/${postId}` },
    { method: 'PATCH', path: `/threads/${threadId}/update`, body: { content: 'Mine now' } },
    { method: 'DELETE', path: `/threads/${threadId}` },
  ] as const
}

describe("another member's comment", () => {
  it('is neither changed nor deleted', async ({ talk, ann, ben }) => {
    const post = await talk.post(ann, 'foreign')
    const thread = await talk.thread(ann, post.id)

    for (const { method, path, ...rest } of callsOn(post.id, thread.id)) {
      const reply = await talk.write(ben, method, path, 'body' in rest ? rest.body : undefined)
      expect(refusalOf(reply), `${method} ${path}`).toMatchObject({ status: 403, code: 'access-denied' })
    }

    expect((await talk.posts('foreign')).posts[0]?.content).toBe('A post')
    expect(await talk.threads(post.id)).toMatchObject([{ content: 'A thread' }])
  })
})

describe('an unknown comment', () => {
  it.for([unknownId, 'cmt_', 'x', '%00', '1%20OR%201=1', 'a'.repeat(150)])(
    '%s is not found by any call',
    async (id, { members, talk, ann }) => {
      const votes = ['posts', 'threads'].map(
        (kind) => ({ method: 'POST', path: `/${kind}/${id}/vote`, body: { vote: 'UP' } }) as const,
      )

      for (const { method, path, ...rest } of [...callsOn(id, id), ...votes]) {
        const reply = await talk.write(ann, method, path, 'body' in rest ? rest.body : undefined)
        expect(refusalOf(reply), `${method} ${path}`).toMatchObject({
          status: 404,
          code: 'comment-not-found',
        })
      }
      expect(refusalOf(await members.call('GET', `/comments/threads?postId=${id}`)).code).toBe(
        'comment-not-found',
      )
    },
  )
})

describe('a visitor', () => {
  it('can read but not write', async ({ talk, ann }) => {
    const post = await talk.post(ann, 'visited')
    const thread = await talk.thread(ann, post.id)

    for (const { method, path, body } of [
      ...callsOn(post.id, thread.id).map((call) => ({ body: undefined, ...call })),
      { method: 'POST', path: '/posts', body: { channelKey: 'visited', content: 'x' } },
      { method: 'POST', path: '/threads', body: { postId: post.id, content: 'x' } },
      { method: 'POST', path: `/posts/${post.id}/vote`, body: { vote: 'UP' } },
      { method: 'POST', path: `/threads/${thread.id}/vote`, body: { vote: 'UP' } },
      { method: 'POST', path: '/posts/typing', body: { channelKey: 'visited' } },
      { method: 'POST', path: '/channels/manage-subscription', body: { channelKey: 'a', action: 'NONE' } },
    ] as const) {
      const reply = await talk.write(talk.visitor, method, path, body)
      expect(refusalOf(reply), `${method} ${path}`).toMatchObject({ status: 401, code: 'login-required' })
    }
    expect((await talk.posts('visited')).posts).toMatchObject([{ _count: { Threads: 1, likedBy: 0 } }])
  })
})

describe('a call without a valid app or token', () => {
  it.for([
    ['without a key', {}],
    ['with a wrong key', { 'x-api-key': 'pk_wrong' }],
  ] as const)('%s is rejected', async ([_what, headers], { members }) => {
    const reply = await members.call('GET', '/comments/posts?channelKey=a', { headers })

    expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'app-not-found' })
  })

  it('is rejected when its token is invalid', async ({ members }) => {
    const headers = { ...members.visitor, authorization: 'Bearer x.y.z' }

    const reply = await members.call('GET', '/comments/posts?channelKey=a', { headers })

    expect(refusalOf(reply)).toMatchObject({ status: 401, code: 'client/invalid-token' })
  })

  it("sees no comments of another app's channel with the same key", async ({ site, talk, ann }) => {
    const other = { headers: await addApp(site, { id: 'app_other', publicKey: 'pk_other' }) }
    const post = await talk.post(ann, 'shared')

    expect((await talk.posts('shared', {}, other)).totalCount).toBe(0)
    expect(refusalOf(await talk.read(other, '/threads', { postId: post.id })).code).toBe('comment-not-found')
  })
})
