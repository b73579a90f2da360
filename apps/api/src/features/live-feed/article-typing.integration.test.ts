import { describe, expect } from 'vitest'
import { createTestDiscussion } from '#test/content/discussion.ts'
import { holdPlan, testPlans } from '#test/factories/plans.ts'
import { siteTest } from '#test/fixtures.ts'
import { connectChannel } from '#test/live-client.ts'

const it = siteTest()
  .extend('url', { scope: 'file' }, ({ site }) => site.listen())
  .extend('talk', { scope: 'file' }, ({ members }) => createTestDiscussion(members))
  .extend('reader', { scope: 'file' }, ({ site, members }) => async () => {
    const { memberId, token, headers } = await members.signUp()
    await holdPlan(site, memberId, testPlans.yearly)
    return { memberId, token, headers: { ...headers, cookie: site.pass } }
  })
  .extend('channel', { scope: 'file' }, async ({ desk }) => {
    const { key } = await desk.addGroup({ plans: [testPlans.yearly] })
    const { id } = await desk.addArticle({ group: key, status: 'published' })
    return `article:${id}`
  })
  .extend(
    'enter',
    { scope: 'file' },
    ({ site, url, channel }) =>
      (token: string | null, cookie = site.pass) => {
        const protocols = token === null ? [] : ['tidings', `bearer.${token}`]
        return connectChannel(url, { channel }, { cookie, protocols })
      },
  )

describe('/socket?channel= of an article', () => {
  it('sends TYPING to members who may read it', async ({ talk, channel, reader, enter }) => {
    const [ann, ben] = [await reader(), await reader()]
    const client = await enter(ann.token)

    await talk.write(ben, 'POST', '/posts/typing', { channelKey: channel })
    await client.receive(1)

    expect(client.writers()).toEqual([ben.memberId])
    expect(client.socket.protocol).toBe('tidings')
  })

  it('is refused without a token, a pass, a plan or a valid token', async ({ members, reader, enter }) => {
    const { token } = await reader()
    const { token: withoutPlan } = await members.signUp()

    await expect(enter(null)).rejects.toThrow('401')
    await expect(enter(token, 'none=')).rejects.toThrow('401')
    await expect(enter('made.up.token')).rejects.toThrow('401')
    await expect(enter(withoutPlan)).rejects.toThrow('403')
  })

  it.for(['session', 'plan'] as const)(
    "closes when the member's %s has ended, before the next event",
    async (what, { db, members, talk, channel, reader, enter }) => {
      const [ann, ben] = [await reader(), await reader()]
      const [left, stays] = [await enter(ann.token), await enter(ben.token)]
      if (what === 'session') await members.call('POST', '/member/logout', { headers: ann.headers })
      else await db.planConnection.deleteMany({ where: { memberId: ann.memberId } })

      await talk.write(ben, 'POST', '/posts/typing', { channelKey: channel })
      await stays.receive(1)

      expect(await left.closed).toMatchObject({ code: 1008 })
      expect(left.frames).toEqual([])
    },
  )
})
