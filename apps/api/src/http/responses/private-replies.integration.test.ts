import { describe, expect } from 'vitest'
import { createTestDiscussion } from '#test/content/discussion.ts'
import { createTestDesk } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'

const it = siteTest()
  .extend('ann', { scope: 'file' }, ({ members }) => members.signUp())
  .extend(
    'postId',
    { scope: 'file' },
    async ({ members, ann }) => (await createTestDiscussion(members).post(ann, 'a')).id,
  )
it.beforeAll(async ({ site }) => {
  await createTestDesk(site).addContent('letter')
})

type Private = readonly ['GET' | 'POST' | 'PATCH' | 'DELETE', (postId: string) => string, object?]

/** Private calls; the last ones end the session and the account. */
const calls: Record<string, Private> = {
  'the member': ['GET', () => '/member'],
  'the app and its member': ['GET', () => '/app-member'],
  'the same by POST': ['POST', () => '/app-member', {}],
  'a changed member': ['POST', () => '/member', { customFields: { name: 'Ann' } }],
  'a changed address': ['POST', () => '/member-auth', { email: 'ann@example.com' }],
  'the member’s JSON': ['GET', () => '/member/json'],
  'changed JSON': ['POST', () => '/member/json', { json: { a: 1 } }],
  'the sessions': ['GET', () => '/member/sessions'],
  'the end of other sessions': ['DELETE', () => '/member/sessions'],
  'the export': ['GET', () => '/member/export'],
  'a removed image': ['DELETE', () => '/member/profile-image'],
  'secure content': ['POST', () => '/secure-content', { contentId: 'letter' }],
  'a login': ['POST', () => '/auth/login', { email: 'ann@example.com', password: 'a-long-password' }],
  'a sign-up': ['POST', () => '/auth/signup', { email: 'ben@example.com', password: 'a-long-password' }],
  'a channel': ['GET', () => '/comments/channels/info?channelKey=a'],
  'the posts that one sees': ['GET', () => '/comments/posts?channelKey=a'],
  'the threads that one sees': ['GET', (postId) => `/comments/threads?postId=${postId}`],
  'a new post': ['POST', () => '/comments/posts', { channelKey: 'a', content: 'x' }],
  'a new thread': ['POST', () => '/comments/threads', { postId: '', content: 'x' }],
  'a changed post': ['PATCH', (postId) => `/comments/posts/${postId}/update`, { content: 'y' }],
  'a vote': ['POST', (postId) => `/comments/posts/${postId}/vote`, { vote: 'UP' }],
  'a visit': ['POST', () => '/page-view', {}],
  'a deleted post': ['DELETE', (postId) => `/comments/posts/${postId}`],
  'the end of the account': ['DELETE', () => '/member'],
  'the end of the session': ['POST', () => '/member/logout'],
}

describe('a private response', () => {
  it('forbids caching', async ({ members, ann, postId }) => {
    for (const [name, [method, url, given]] of Object.entries(calls)) {
      const body = given !== undefined && 'postId' in given ? { ...given, postId } : given
      const reply = await members.call(method, url(postId), {
        headers: ann.headers,
        ...(body === undefined ? {} : { body }),
      })
      expect([name, reply.statusCode, reply.headers['cache-control']]).toEqual([name, 200, 'no-store'])
    }
  })
})
