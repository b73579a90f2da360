import { memberExportReply } from '@tidings/contracts/membership/members'
import { describe, expect } from 'vitest'
import { createTestDiscussion } from '#test/content/discussion.ts'
import { refusalOf } from '#test/desk.ts'
import { testPlans } from '#test/factories/plans.ts'
import { addPushDevice } from '#test/factories/recipients.ts'
import { siteTest } from '#test/fixtures.ts'

const pageOrigin = 'https://www.example.com'
const it = siteTest({ env: { ALLOWED_ORIGINS: pageOrigin } })
  .extend('discussion', { scope: 'file' }, ({ members }) => createTestDiscussion(members))
  .extend(
    'exportOf',
    { scope: 'file' },
    ({ members }) =>
      async ({ headers }: { headers: Record<string, string> }) => {
        const reply = await members.call('GET', '/member/export', { headers })
        expect(reply.statusCode).toBe(200)
        expect(reply.headers['cache-control']).toBe('no-store')
        return { text: reply.body, data: memberExportReply.strict().parse(reply.json()).data }
      },
  )

describe('GET /member/export', () => {
  it('returns everything stored about the member', async ({ site, members, discussion, exportOf }) => {
    const now = site.clock.now().toISOString()
    const account = {
      email: 'ann@example.com',
      password: 'a-long-password',
      customFields: { name: 'Ann', getPDFMethodBySMS: true },
      metaData: { source: 'news' },
      plans: [{ planId: testPlans.free }],
    }
    const reply = await members.call('POST', '/auth/signup', {
      headers: { ...members.visitor, origin: pageOrigin, 'user-agent': 'A browser' },
      body: account,
    })
    const ann = { headers: members.headersOf(reply.json().data) }
    const bea = await members.signUp({ email: 'bea@example.com' })
    const { id: memberId } = reply.json().data.member
    await site.context.database.db.memberIdentity.create({
      data: { appId: site.context.config.site.appId, provider: 'local', subject: 'ann-1', memberId },
    })
    await members.call('POST', '/member/json', { headers: ann.headers, body: { json: { a: [1] } } })
    await members.call('POST', '/comments/channels/manage-subscription', {
      headers: ann.headers,
      body: { channelKey: 'news', action: 'THREADS_ONLY' },
    })
    await members.call('POST', '/member/feed', { headers: { ...ann.headers, cookie: site.pass } })
    await addPushDevice(site, memberId)
    await site.context.bounces.recordRefusal(account.email, '550 5.1.1 No such mailbox')
    const post = await discussion.post(ann, 'news', 'A post of Ann')
    const other = await discussion.post(bea, 'news', 'A post of Bea')
    const thread = await discussion.thread(ann, other.id, 'A reply of Ann')
    const beside = await discussion.thread(bea, other.id, 'A reply of Bea')
    await discussion.vote(ann, other.id, 'DOWN')
    await discussion.vote(ann, beside.id, 'UP', 'threads')
    await discussion.vote(bea, post.id, 'UP')
    await discussion.write(ann, 'POST', `/posts/${other.id}/report`, { reason: 'advertising' })
    await discussion.write(bea, 'POST', `/posts/${post.id}/report`, { reason: 'dull' })

    const { data, text } = await exportOf(ann)

    const current = await members.call('GET', '/member', { headers: ann.headers })
    expect(data.member).toEqual(current.json().data)
    expect(data.member).toMatchObject({
      auth: { email: 'ann@example.com', providers: [{ provider: 'local' }] },
      customFields: account.customFields,
      metaData: account.metaData,
      json: { a: [1] },
      planConnections: [{ planId: testPlans.free }],
    })
    expect(data).toMatchObject({
      exportedAt: now,
      termsAcceptedAt: now,
      termsOrigin: pageOrigin,
      identities: [{ provider: 'local', subject: 'ann-1' }],
      sessions: [{ createdAt: now, lastUsedAt: now, userAgent: 'A browser' }],
      feeds: [{ createdAt: now }],
      pushDevices: [{ name: 'Chrome on Android', createdAt: now, lastNotifiedAt: null }],
      suppressions: [{ kind: 'bounce', reason: '550 5.1.1 No such mailbox', bounces: 1, since: now }],
      comments: {
        posts: [{ id: post.id, channelKey: 'news', content: post.content, createdAt: now, editedAt: null }],
        threads: [{ id: thread.id, postId: other.id, content: thread.content }],
        postVotes: [{ postId: other.id, vote: 'down' }],
        threadVotes: [{ threadId: beside.id, vote: 'up' }],
        reports: [{ commentId: other.id, reason: 'advertising', createdAt: now }],
        subscriptions: ['news'],
      },
    })
    expect(text).not.toContain('Bea')
    expect(text).not.toContain(bea.memberId)
    expect(text).not.toContain('bea@example.com')
  })

  it('contains no hash, code or token', async ({ members, exportOf }) => {
    const ann = await members.signUp()
    await members.call('POST', '/auth/send-reset-password-email', { body: { email: ann.email } })
    const { text } = await exportOf(ann)
    expect(text).not.toMatch(/argon2|[0-9a-f]{64}|hash"|eyJ/i)
    expect(text).not.toContain(ann.token)
  })

  it('needs a session', async ({ members }) => {
    expect(refusalOf(await members.call('GET', '/member/export'))).toMatchObject({
      status: 401,
      code: 'login-required',
    })
  })
})
