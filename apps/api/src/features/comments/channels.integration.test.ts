import { channelInfoReply } from '@tidings/contracts/membership/comments'
import { describe, expect } from 'vitest'
import { createTestDiscussion } from '#test/content/discussion.ts'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'

const it = siteTest()
  .extend('talk', { scope: 'file' }, ({ members }) => createTestDiscussion(members))
  .extend('ann', { scope: 'file' }, ({ members }) => members.signUp())
  .extend('ben', { scope: 'file' }, ({ members }) => members.signUp())
  .extend('info', { scope: 'file' }, ({ talk }) => async (channelKey: string, viewer = talk.visitor) => {
    const reply = await talk.read(viewer, '/channels/info', { channelKey })
    return channelInfoReply.strict().parse(reply.json()).data
  })
  .extend('subscribe', { scope: 'file' }, ({ talk, ann }) => async (channelKey: string, action: unknown) => {
    return await talk.write(ann, 'POST', '/channels/manage-subscription', { channelKey, action })
  })

describe('channels', () => {
  it('are empty at first and then count their posts', async ({ talk, ann, ben, info }) => {
    const before = await info('counted')
    await talk.post(ann, 'counted')
    await talk.post(ben, 'counted')

    expect(before).toEqual({ channelKey: 'counted', totalCount: 0, subscription: 'NONE' })
    expect(await info('counted')).toEqual({ channelKey: 'counted', totalCount: 2, subscription: 'NONE' })
  })

  it('can be subscribed to and left repeatedly', async ({ ann, info, subscribe }) => {
    const seen: string[] = []
    for (const action of ['THREADS_ONLY', 'THREADS_ONLY', 'NONE', 'NONE'] as const) {
      const reply = await subscribe('subscribed', action)
      expect(reply.json()).toEqual({ data: { success: true } })
      seen.push((await info('subscribed', ann)).subscription)
    }

    expect(seen).toEqual(['THREADS_ONLY', 'THREADS_ONLY', 'NONE', 'NONE'])
  })

  it("keep one member's subscription from another's", async ({ ben, info, subscribe }) => {
    await subscribe('mine', 'THREADS_ONLY')

    expect((await info('mine', ben)).subscription).toBe('NONE')
    expect((await info('mine')).subscription).toBe('NONE')
  })

  it.for(['ALL', '', null, 1])('refuse the action %j', async (action, { subscribe }) => {
    expect(refusalOf(await subscribe('a', action)).status).toBe(400)
  })
})

describe('the rate limit of comments', () => {
  it('rejects a member above the limit and no other', async ({ site, members, talk }) => {
    site.limitCalls('comments', 3)
    const [eager, calm] = [await members.signUp(), await members.signUp()]
    const post = await talk.post(eager, 'a')
    await talk.thread(eager, post.id)
    await talk.vote(eager, post.id, 'UP')

    const refused = await talk.write(eager, 'POST', '/posts', { channelKey: 'a', content: 'x' })

    expect(refusalOf(refused)).toMatchObject({ status: 429, code: 'too-many-requests' })
    expect(refused.headers['retry-after']).toMatch(/^\d+$/)
    expect((await talk.post(calm, 'a')).member.id).toBe(calm.memberId)
    expect((await talk.write(eager, 'DELETE', `/posts/${post.id}`)).statusCode).toBe(200)
  })
})
