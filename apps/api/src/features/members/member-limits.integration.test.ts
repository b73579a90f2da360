import { memberExportReply } from '@tidings/contracts/membership/members'
import { describe, expect, vi } from 'vitest'
import { createTestDiscussion } from '#test/content/discussion.ts'
import { createTestProfileImages } from '#test/content/profile-images.ts'
import { refusalOf } from '#test/desk.ts'
import { jpegPicture } from '#test/factories/pictures.ts'
import { writeManyPosts } from '#test/factories/posts.ts'
import { siteTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { waitOptions } from '#test/wait-options.ts'

const it = siteTest().extend(
  'address',
  { scope: 'file' },
  async ({ site }) => new URL('/member/export', await site.listen()),
)

describe('GET /member/export', () => {
  it('contains every comment once, over several pages', async ({ site, members }) => {
    const ann = await members.signUp()
    const first = await createTestDiscussion(members).post(ann, 'news', 'The first')
    await writeManyPosts(site.context.database.db, first.id, { count: 120, characters: 10 })
    const reply = await members.call('GET', '/member/export', { headers: ann.headers })
    const { posts } = memberExportReply.strict().parse(reply.json()).data.comments
    expect(posts).toHaveLength(121)
    expect(new Set(posts.map(({ id }) => id)).size).toBe(121)
    expect(posts[0]?.id).toBe(first.id)
  })

  it('streams one export at a time, and the next once the client disconnects', async ({
    site,
    members,
    address,
  }) => {
    const [ann, bea] = [await members.signUp(), await members.signUp()]
    const first = await createTestDiscussion(members).post(ann, 'news', 'The first')
    // Larger than the buffers of a connection.
    await writeManyPosts(site.context.database.db, first.id, { count: 4_000, characters: 5_000 })
    const exportOf = (who: { headers: Record<string, string> }) =>
      members.call('GET', '/member/export', { headers: who.headers })

    const leaving = new AbortController()
    const reply = await fetch(address, { headers: ann.headers, signal: leaving.signal })
    expect(reply.status).toBe(200)
    const refused = await exportOf(bea)
    expect(refusalOf(refused)).toMatchObject({ status: 503, code: 'service-busy' })
    expect(refused.headers['retry-after']).toBe('2')

    leaving.abort()
    await vi.waitFor(async () => expect((await exportOf(bea)).statusCode).toBe(200), waitOptions)
  })

  it('is limited to RATE_EXPORTS_PER_HOUR per member', async ({ site, members }) => {
    site.limitCalls('exports', 3)
    const { headers } = await members.signUp()
    const call = async () => (await members.call('GET', '/member/export', { headers })).statusCode
    expect([await call(), await call(), await call(), await call()]).toEqual([200, 200, 200, 429])
  })
})

it('POST /member and /member/json share the limit RATE_MEMBER_WRITES_PER_MINUTE per member', async ({
  site,
  members,
}) => {
  site.limitCalls('memberWrites', 3)
  const [ann, bea] = [await members.signUp(), await members.signUp()]
  const write = async ({ headers }: TestMember, url: string) =>
    (await members.call('POST', url, { headers, body: { json: {}, customFields: {} } })).statusCode
  expect([await write(ann, '/member'), await write(ann, '/member/json')]).toEqual([200, 200])
  expect([await write(ann, '/member'), await write(ann, '/member/json')]).toEqual([200, 429])
  expect([await write(ann, '/member'), await write(bea, '/member')]).toEqual([429, 200])
})

it('POST /member/profile-image is limited per member and per network', async ({ site, members }) => {
  site.limitCalls('profileImages', 2)
  site.limitCalls('networkProfileImages', 3)
  const [ann, bea] = [await members.signUp(), await members.signUp()]
  const images = createTestProfileImages(site)
  const picture = await jpegPicture(20, 20)
  const upload = async (owner: TestMember) => (await images.upload(owner, picture)).statusCode
  expect([await upload(ann), await upload(ann), await upload(ann)]).toEqual([200, 200, 429])
  const refused = await images.upload(bea, picture)
  expect(refusalOf(refused)).toMatchObject({ status: 429, code: 'too-many-requests' })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  const elsewhere = await images.upload(bea, picture, { from: '198.51.100.7' })
  expect(elsewhere.statusCode).toBe(200)
})
