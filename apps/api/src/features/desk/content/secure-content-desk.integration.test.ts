import {
  type DeskSecureContent,
  deskSecureContent,
  deskSecureContentSummary,
} from '@tidings/contracts/desk/content/secure-content'
import { dataOf, pageOf } from '@tidings/contracts/envelope'
import { describe, expect } from 'vitest'
import { createTestDesk, refusalOf } from '#test/desk.ts'
import { contentElsewhere } from '#test/factories/other-app.ts'
import { testPlans } from '#test/factories/plans.ts'
import { siteTest } from '#test/fixtures.ts'
import { useTestApp } from '#test/test-app.ts'

const good = { type: 'TEXT', content: 'For members.' }

const it = siteTest().extend(
  'read',
  { scope: 'file' },
  ({ desk }) =>
    async (contentId: string): Promise<DeskSecureContent> => {
      return dataOf(deskSecureContent).parse((await desk.call('GET', `/secure-content/${contentId}`)).json())
        .data
    },
)

describe('PUT /desk/v1/secure-content/{contentId}', () => {
  it('creates content that is open to every member', async ({ desk, read }) => {
    const reply = await desk.call('PUT', '/secure-content/plain_1.a', { body: good })

    const content = dataOf(deskSecureContent).parse(reply.json()).data
    expect(reply.statusCode).toBe(201)
    expect(reply.headers.etag).toBe('"1"')
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(content).toMatchObject({
      contentId: 'plain_1.a',
      ...good,
      permissions: [],
      plans: [],
      group: null,
      version: 1,
    })
    expect(await read('plain_1.a')).toEqual(content)
  })

  it('replaces everything', async ({ desk }) => {
    const { key } = await desk.addGroup()
    const lists = { permissions: ['paid'], plans: [testPlans.yearly] }
    const before = await desk.addContent('replaced', { ...lists, group: key })
    expect(before).toMatchObject({ ...lists, group: key })

    const reply = await desk.call('PUT', '/secure-content/replaced', {
      body: { type: 'HTML', content: '<p onclick="x()">New</p>' },
      ifMatch: '"1"',
    })

    const after = dataOf(deskSecureContent).parse(reply.json()).data
    expect(reply.statusCode).toBe(200)
    expect(reply.headers.etag).toBe('"2"')
    expect({ ...after, updatedAt: before.updatedAt }).toEqual({
      ...before,
      type: 'HTML',
      content: '<p>New</p>',
      permissions: [],
      plans: [],
      group: null,
      version: 2,
    })
  })

  it('accepts 200,000 characters in any JSON escaping', async ({ site, read }) => {
    const content = 'é'.repeat(200_000)
    const reply = await site.app.inject({
      method: 'PUT',
      url: '/desk/v1/secure-content/long',
      headers: { authorization: site.editor, 'content-type': 'application/json' },
      payload: `{"type":"TEXT","content":"${'\\u00e9'.repeat(200_000)}"}`,
    })

    expect(reply.statusCode).toBe(201)
    expect((await read('long')).content).toBe(content)
  })

  it.for([
    ['no type', { type: undefined }, 'invalid-request'],
    ['an unknown type', { type: 'SVG' }, 'invalid-request'],
    ['no content', { content: undefined }, 'invalid-request'],
    ['an empty content', { content: '' }, 'invalid-request'],
    ['a content of 200,001 characters', { content: 'x'.repeat(200_001) }, 'invalid-request'],
    ['a content that is no text', { content: { a: 1 } }, 'invalid-request'],
    ['a content with NUL', { content: 'a\u0000b' }, 'invalid-request'],
    ['HTML of which nothing is left', { type: 'HTML', content: '<script>1</script>' }, 'invalid-html'],
    ['JSON that does not parse', { type: 'JSON', content: '{a: 1}' }, 'invalid-request'],
    ['a link that runs', { type: 'LINK', content: 'javascript:alert(1)' }, 'invalid-request'],
    ['an image that is data', { type: 'IMAGE', content: 'data:image/png;base64,AA' }, 'invalid-request'],
    ['a file without a host', { type: 'FILE', content: '/etc/passwd' }, 'invalid-request'],
    ['a permission twice', { permissions: ['paid', 'paid'] }, 'invalid-request'],
    ['null for a list', { plans: null }, 'invalid-request'],
    ['a group that is not there', { group: 'no-such-group' }, 'invalid-request'],
    ['an app', { appId: 'app_other' }, 'invalid-request'],
    ['a version', { version: 7 }, 'invalid-request'],
    ['another content id', { contentId: 'other' }, 'invalid-request'],
    ["a group's id", { groupId: 'grp_aaaaaaaaaaaaaaaaaaaaaaaa' }, 'invalid-request'],
  ] as const)('rejects %s and stores nothing', async ([_what, fields, code], { desk }) => {
    const reply = await desk.call('PUT', '/secure-content/refused', { body: { ...good, ...fields } })

    expect(refusalOf(reply)).toMatchObject({ status: 400, code })
    expect((await desk.call('GET', '/secure-content/refused')).statusCode).toBe(404)
  })

  it('rejects a plan that the app does not offer, with its id', async ({ desk }) => {
    const reply = await desk.call('PUT', '/secure-content/refused', {
      body: { ...good, plans: [testPlans.yearly, 'pln_none'] },
    })

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
    expect(refusalOf(reply).message).toContain("'pln_none'")
  })

  it.for(['a%20b', 'a%2Fb', '%00', '.hidden', '-x', "'%20OR%201=1", 'x'.repeat(101)])(
    'rejects the content id %s',
    async (contentId, { desk }) => {
      const reply = await desk.call('PUT', `/secure-content/${contentId}`, { body: good })

      expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
    },
  )

  it.for([
    { ifMatch: undefined, status: 428, code: 'version-required' },
    { ifMatch: '"7"', status: 409, code: 'version-conflict' },
    { ifMatch: 'newest', status: 400, code: 'invalid-request' },
  ])('rejects If-Match $ifMatch for existing content', async ({ ifMatch, status, code }, { desk, read }) => {
    const contentId = `exists-${status}`
    const before = await desk.addContent(contentId)
    const options = ifMatch === undefined ? {} : { ifMatch }

    const change = await desk.call('PUT', `/secure-content/${contentId}`, {
      body: { ...good, content: 'New' },
      ...options,
    })
    const removal = await desk.call('DELETE', `/secure-content/${contentId}`, options)

    expect(refusalOf(change)).toMatchObject({ status, code })
    expect(refusalOf(removal)).toMatchObject({ status, code })
    expect(await read(contentId)).toEqual(before)
  })

  it('rejects a version of content that does not exist', async ({ desk }) => {
    const reply = await desk.call('PUT', '/secure-content/gone', { body: good, ifMatch: '"1"' })

    expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'version-conflict' })
    expect((await desk.call('GET', '/secure-content/gone')).statusCode).toBe(404)
  })

  it('stores one of two concurrent creations or changes', async ({ desk }) => {
    const put = (content: string, options: { ifMatch?: string }) =>
      desk.call('PUT', '/secure-content/at-once', { body: { ...good, content }, ...options })

    const made = await Promise.all(['One', 'Other'].map((content) => put(content, {})))
    const changed = await Promise.all(['One', 'Other'].map((content) => put(content, { ifMatch: '"1"' })))

    expect(made.map(({ statusCode }) => statusCode).sort()).toEqual([201, 428])
    expect(changed.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  })
})

describe('DELETE /desk/v1/secure-content/{contentId}', () => {
  it('deletes it', async ({ desk }) => {
    await desk.addContent('removed')

    const reply = await desk.call('DELETE', '/secure-content/removed', { ifMatch: '"1"' })

    expect(reply.json()).toEqual({ data: { contentId: 'removed' } })
    expect((await desk.call('GET', '/secure-content/removed')).statusCode).toBe(404)
  })
})

describe('/desk/v1/secure-content/{contentId}', () => {
  it.for(['GET', 'DELETE'] as const)('returns 404 to %s of unknown content', async (method, { desk }) => {
    const reply = await desk.call(method, '/secure-content/nothing', { ifMatch: '"1"' })

    expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'content-not-found' })
  })

  it.for(['GET', 'DELETE'] as const)(
    "returns 404 to %s of another app's content",
    async (method, { site, desk }) => {
      const contentId = `elsewhere-${method}`
      await contentElsewhere(site.context, contentId, 'x')

      const reply = await desk.call(method, `/secure-content/${contentId}`, { ifMatch: '"1"' })

      const { secureContent } = site.context.database.db
      expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'content-not-found' })
      expect(await secureContent.count({ where: { contentId } })).toBe(1)
    },
  )

  it('adds an audit entry for each change, with the previous state', async ({ desk, read }) => {
    const first = await desk.addContent('audited')
    await desk.call('PUT', '/secure-content/audited', { body: { ...good, content: 'New' }, ifMatch: '"1"' })
    await desk.call('PUT', '/secure-content/audited', { body: { ...good, content: 'No' }, ifMatch: '"1"' })
    const second = await read('audited')
    await desk.call('DELETE', '/secure-content/audited', { ifMatch: '"2"' })

    const lines = await desk.auditOf('audited')

    expect(lines.map(({ action, details }) => ({ action, details }))).toEqual([
      { action: 'secure-content.create', details: { type: 'TEXT' } },
      { action: 'secure-content.change', details: { before: first } },
      { action: 'secure-content.remove', details: { content: second } },
    ])
  })

  it('requires the scope read for reading and publish for changes', async ({ desk }) => {
    await desk.addContent('scoped')
    const [{ as: reader }, { as: writer }, { as: publisher }] = [
      await desk.keyWith('read', 'write'),
      await desk.keyWith('write', 'publish'),
      await desk.keyWith('publish'),
    ]

    const refused = [
      await desk.call('GET', '/secure-content', { as: writer }),
      await desk.call('GET', '/secure-content/scoped', { as: writer }),
      await desk.call('PUT', '/secure-content/new', { body: good, as: reader }),
      await desk.call('PUT', '/secure-content/scoped', { body: good, ifMatch: '"1"', as: reader }),
      await desk.call('DELETE', '/secure-content/scoped', { ifMatch: '"1"', as: reader }),
    ]
    const removal = await desk.call('DELETE', '/secure-content/scoped', { ifMatch: '"1"', as: publisher })

    for (const reply of refused) {
      expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'scope-missing' })
    }
    expect(removal.statusCode).toBe(200)
  })
})

describe('GET /desk/v1/secure-content', () => {
  it("pages through the app's content by id, without the content itself", async () => {
    const own = await useTestApp({ working: false })
    const ownDesk = createTestDesk(own)
    const ids = ['b', 'd', 'a', 'e', 'c']
    for (const id of ids) await ownDesk.addContent(id, { content: 'Nothing for lists' })
    await contentElsewhere(own.context, 'c-other', 'x')

    const seen: string[] = []
    let after: string | null = ''
    while (after !== null) {
      const reply = await ownDesk.call(
        'GET',
        `/secure-content?limit=2${after === '' ? '' : `&after=${after}`}`,
      )
      const page = pageOf(deskSecureContentSummary.strict()).parse(reply.json())
      expect(reply.body).not.toContain('Nothing for lists')
      seen.push(...page.data.map(({ contentId }) => contentId))
      after = page.next
    }

    expect(seen).toEqual(ids.toSorted())
  })

  it.for(['limit=0', 'limit=201', 'after=%00', 'type=HTML'])(
    'rejects the query %s',
    async (query, { desk }) => {
      expect(refusalOf(await desk.call('GET', `/secure-content?${query}`))).toMatchObject({
        status: 400,
        code: 'invalid-request',
      })
    },
  )
})
