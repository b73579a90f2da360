import { articleChange, articleDraft } from '@tidings/contracts/desk/articles'
import { contentGroupChange, contentGroupDraft } from '@tidings/contracts/desk/content/content-groups'
import { secureContentDraft } from '@tidings/contracts/desk/content/secure-content'
import { editionChange } from '@tidings/contracts/desk/editions'
import { memoChange, memoDraft } from '@tidings/contracts/desk/memos'
import { dataOf } from '@tidings/contracts/envelope'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import type { TestDesk } from '#test/desk.ts'
import { testPlans } from '#test/factories/plans.ts'
import { siteTest } from '#test/fixtures.ts'

const picture = `${'b'.repeat(26)}.jpg`
const editionKey = '01-01-40-10AM'
let contentsMade = 0

const it = siteTest()

  /** Changes one key; secure content is replaced as a whole. */
  .extend(
    'change',
    { scope: 'file' },
    ({ desk }) =>
      async (path: string, change: Samples): Promise<LightMyRequestResponse> => {
        const ifMatch = String((await desk.call('GET', path)).headers.etag)
        if (path.startsWith('/secure-content')) {
          const body = { type: 'TEXT', content: 'For members.', ...change }
          return await desk.call('PUT', path, { body, ifMatch })
        }
        return await desk.call(path.startsWith('/editions') ? 'PUT' : 'PATCH', path, {
          body: change,
          ifMatch,
        })
      },
  )
it.beforeAll(async ({ desk, site }) => {
  await desk.addGroup({ key: 'sample-group' })
  await desk.draft(editionKey)
  await site.context.database.db.media.create({ data: { file: picture, width: 1, height: 1, bytes: 1 } })
})

type Samples = Readonly<Record<string, unknown>>

/** A value for each key that differs from the created one. A key without a value fails its tests. */
const resources = [
  {
    name: 'a memo',
    samples: {
      title: 'Sample',
      memo_content: '<p>Sample.</p>',
      source: 'https://example.com/sample',
      media: picture,
      media_title: 'Sample caption',
      media_alt: 'A sample drawing',
      media_focus: { x: 0.25, y: 1 },
      media_text: '<p>Sample text.</p>',
      language: 'ar',
      position: 1,
      ready: true,
    },
    // `private` is about this request only.
    drafted: memoDraft.omit({ private: true }),
    changed: memoChange,
    async create(desk: TestDesk) {
      await desk.addMemo(editionKey)
      return `/memos/${(await desk.addMemo(editionKey)).id}`
    },
    draft: async (desk: TestDesk, body: Samples) =>
      await desk.call('POST', `/editions/${editionKey}/memos`, { body }),
  },
  {
    name: 'an article',
    samples: {
      title: 'Sample',
      memo_content: '<p>Sample.</p>',
      media: picture,
      media_title: 'Sample caption',
      media_alt: 'A sample drawing',
      media_focus: { x: 0.25, y: 1 },
      language: 'pt-BR',
      group: 'sample-group',
      status: 'published',
    },
    drafted: articleDraft,
    changed: articleChange,
    create: async (desk: TestDesk) => `/articles/${(await desk.addArticle()).id}`,
    draft: async (desk: TestDesk, body: Samples) => await desk.call('POST', '/articles', { body }),
  },
  {
    name: 'an edition',
    samples: { status: 'scheduled' },
    // The others need a status.
    drafted: editionChange.pick({ status: true }),
    changed: editionChange.pick({ status: true }),
    create: async (desk: TestDesk) => `/editions/${(await desk.draft('01-02-40-10AM')).key}`,
    draft: async (desk: TestDesk, body: Samples) =>
      await desk.call('PUT', '/editions/01-03-40-10AM', { body }),
  },
  {
    name: 'a content group',
    samples: {
      key: 'sample-key',
      name: 'Sample',
      permissions: ['sample'],
      plans: [testPlans.yearly],
      redirect: '/sample',
    },
    drafted: contentGroupDraft,
    changed: contentGroupChange,
    create: async (desk: TestDesk) => `/content-groups/${(await desk.addGroup()).id}`,
    draft: async (desk: TestDesk, body: Samples) =>
      await desk.call('POST', '/content-groups', { body: { ...body, key: 'other-key' } }),
  },
  {
    name: 'a piece of secure content',
    samples: {
      type: 'CSS',
      content: 'p { color: red }',
      permissions: ['sample'],
      plans: [testPlans.yearly],
      group: 'sample-group',
    },
    drafted: secureContentDraft,
    changed: secureContentDraft,
    async create(desk: TestDesk) {
      contentsMade += 1
      return `/secure-content/${(await desk.addContent(`sample-${contentsMade}`)).contentId}`
    },
    draft: async (desk: TestDesk, body: Samples) =>
      await desk.call('PUT', '/secure-content/sample', { body }),
  },
]

function dataIn(reply: LightMyRequestResponse): Record<string, unknown> {
  if (reply.statusCode > 201) throw new Error(reply.body)
  return dataOf(z.record(z.string(), z.unknown())).parse(reply.json()).data
}

describe.each(resources)('$name', ({ samples, drafted, changed, create, draft }) => {
  it('is created with every key that its draft accepts', async ({ desk }) => {
    const stored = dataIn(await draft(desk, samples))

    expect(Object.keys(samples).sort()).toEqual(Object.keys(drafted.shape).sort())
    expect(stored).toMatchObject({ ...samples, ...('key' in samples && { key: 'other-key' }) })
  })

  it('stores every key that a change accepts', async ({ desk, change }) => {
    const sampleOf = new Map<string, unknown>(Object.entries(samples))
    for (const key of Object.keys(changed.shape)) {
      const path = await create(desk)
      const before = dataIn(await desk.call('GET', path))
      const reply = await change(path, { [key]: sampleOf.get(key) })
      const after = dataIn(await desk.call('GET', path))

      expect(before[key], `${key} before`).not.toEqual(sampleOf.get(key))
      expect(dataIn(reply)[key], `${key} in the response`).toEqual(sampleOf.get(key))
      expect(after[key], `${key} read back`).toEqual(sampleOf.get(key))
    }
  })
})
