import { type SearchReply, searchReply } from '@tidings/contracts/search'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { holdPlan, testPlans } from '#test/factories/plans.ts'
import { siteTest } from '#test/fixtures.ts'

const it = siteTest()
  .extend(
    'search',
    { scope: 'file' },
    ({ site }) =>
      async (q: string, headers: Record<string, string> = {}): Promise<SearchReply> => {
        const url = `/edition/search?${new URLSearchParams({ q })}`
        const reply = await site.app.inject({ url, headers: { cookie: site.pass, ...headers } })
        return searchReply.parse(reply.json())
      },
  )
  /** Signs up a member with these plans. Returns the headers with the Bearer token. */
  .extend('member', { scope: 'file' }, ({ site, members }) => async (...plans: string[]) => {
    const { memberId, headers } = await members.signUp()
    for (const plan of plans) await holdPlan(site, memberId, plan)
    return headers
  })

const idsOf = ({ data }: SearchReply) => data.map(({ _id }) => _id)

describe('GET /edition/search for gated articles', () => {
  it("searches them for members, with the article's day", async ({ search, desk, member, site }) => {
    const { id } = await desk.addArticle({
      title: 'The archipelago',
      memo_content: '<h2>Islands</h2><p>Seabirds nest on <em>every</em> cliff.</p>',
      language: 'en-GB',
      status: 'published',
    })
    const headers = await member()

    expect((await search('seabird', headers)).data).toEqual([
      {
        kind: 'article',
        _id: id,
        date: expect.stringMatching(/^\d\d-\d\d-\d\d$/),
        title: [{ text: 'The archipelago', match: false }],
        text: [
          { text: 'Islands ', match: false },
          { text: 'Seabirds', match: true },
          { text: ' nest on every cliff.', match: false },
        ],
        language: 'en-GB',
      },
    ])
    expect(idsOf(await search('archipelgao', headers))).toEqual([id])
    const url = '/edition/search?q=seabird&to=01-01-01'
    const reply = await site.app.inject({ url, headers: { cookie: site.pass, ...headers } })
    expect(reply.json().data).toEqual([])
  })

  it('gives a visitor the same response as if there were no article', async ({ search, desk }) => {
    const { id } = await desk.addArticle({
      title: 'Quicksilver mines',
      memo_content: '<p>The cinnabar vein.</p>',
      status: 'published',
    })
    const nothing = { data: [], next: null, similar: false }
    for (const q of ['quicksilver', 'cinnabar', 'cinn', 'quikcsilver', id]) {
      expect(await search(q)).toEqual(nothing)
    }
  })

  it('ranks memos for a visitor as if there were no article', async ({ search, desk, member }) => {
    const { key } = await desk.newDraft()
    const memo = await desk.addMemo(key, { title: 'A sextant', memo_content: '<p>Navigation.</p>' })
    await desk.publish(key)
    const before = await search('sextant')
    const { id } = await desk.addArticle({ title: 'Sextant, sextant', status: 'published' })

    expect(await search('sextant')).toEqual(before)
    expect(idsOf(await search('sextant', await member())).sort()).toEqual([id, memo.id].sort())
  })

  it('finds an article only for members whose plans open it', async ({ search, desk, member }) => {
    const { key } = await desk.addGroup({ plans: [testPlans.yearly] })
    const { id } = await desk.addArticle({
      title: 'Tungsten',
      memo_content: '<p>Wolframite.</p>',
      group: key,
      status: 'published',
    })
    const yearly = await member(testPlans.yearly)
    const monthly = await member(testPlans.monthly)
    for (const q of ['tungsten', 'wolframite', 'tugnsten']) {
      expect([q, idsOf(await search(q, yearly))]).toEqual([q, [id]])
      expect(await search(q, monthly)).toEqual({ data: [], next: null, similar: false })
    }
  })

  it('finds no draft, and follows corrections and withdrawals', async ({ search, desk, member }) => {
    const headers = await member()
    const { id } = await desk.addArticle({ title: 'Pomegranate' })
    expect((await search('pomegranate', headers)).data).toEqual([])
    const patch = async (body: object, version: number) =>
      (await desk.call('PATCH', `/articles/${id}`, { body, ifMatch: `"${version}"` })).statusCode
    expect(await patch({ status: 'published' }, 1)).toBe(200)
    expect(idsOf(await search('pomegranate', headers))).toEqual([id])
    expect(await patch({ title: 'Tamarind' }, 2)).toBe(200)
    expect((await search('pomegranate', headers)).data).toEqual([])
    expect(idsOf(await search('tamarind', headers))).toEqual([id])
    expect(await patch({ status: 'draft' }, 3)).toBe(200)
    expect((await search('tamarind', headers)).data).toEqual([])
  })

  it('indexes the longest article', async ({ search, desk, member }) => {
    const words = Array.from({ length: 55_000 }, (_, index) => `w${index}`).join(' ')
    const { id } = await desk.addArticle({ memo_content: `<p>${words}</p>`, status: 'published' })
    expect(idsOf(await search('w12', await member()))).toContain(id)
  })

  it.for([
    ['a token that was made up', 'Bearer member'],
    ["an editor's key", 'editor'],
  ] as const)('rejects %s instead of searching as a visitor', async ([_what, given], { site }) => {
    const authorization = given === 'editor' ? site.editor : given
    const headers = { cookie: site.pass, authorization }
    const reply = await site.app.inject({ url: '/edition/search?q=x', headers })
    expect(refusalOf(reply)).toMatchObject({ status: 401, code: 'client/invalid-token' })
  })

  it('rejects members of another app', async ({ site }) => {
    const session = { id: 'ses_1', memberId: 'mem_1', appId: 'app_other' }
    const reader = { address: '192.0.2.1', browserId: null }
    const request = { q: 'x', from: null, to: null, after: null }
    await expect(site.context.search.find(request, session, reader)).rejects.toMatchObject({
      code: 'client/invalid-token',
    })
  })
})
