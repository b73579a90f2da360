import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { testPlans } from '#test/factories/plans.ts'
import { siteTest } from '#test/fixtures.ts'

const it = siteTest()

describe('the preview of an article', () => {
  const article = { title: 'Long', memo_content: '<p>For members only.</p>' }

  it('has its text for readers who may read it, and a wall without it for the others', async ({ desk }) => {
    const { key: group } = await desk.addGroup({ plans: [testPlans.yearly] })
    const show = async (reader: unknown, more: object = { group }) =>
      await desk.call('POST', '/preview/article', { body: { ...article, ...more, reader } })

    const yearly = (await show({ plan: testPlans.yearly })).json().data
    expect(yearly).toMatchObject({ wall: null, article: { memo_content: '<p>For members only.</p>' } })
    for (const [reader, wall] of [
      ['visitor', 'log-in'],
      ['member', 'plan'],
      [{ plan: testPlans.monthly }, 'plan'],
    ] as const) {
      const reply = await show(reader)
      expect(reply.json().data).toMatchObject({
        wall,
        plans: [testPlans.yearly],
        article: null,
        pictures: {},
      })
      expect(reply.body).not.toContain('members only')
    }
    expect((await show('member', {})).json().data).toMatchObject({ wall: null, plans: [] })
    expect((await show('visitor', {})).json().data.wall).toBe('log-in')
    expect(refusalOf(await show({ plan: 'pln_none' })).code).toBe('invalid-request')
    expect(refusalOf(await show('member', { group: 'none' })).code).toBe('invalid-request')
  })
})
