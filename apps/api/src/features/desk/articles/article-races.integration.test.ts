import { describe, expect } from 'vitest'
import { siteTest } from '#test/fixtures.ts'
import { addWrittenArticle } from '#test/writing/article-writer.ts'

const isPublic = { status: 'published' }
const rounds = [1, 2, 3, 4, 5]

const it = siteTest()

describe('an article at the same time', () => {
  it.for(rounds)(
    'saved and published keeps both, or what was seen isn’t published (%i)',
    async (_round, { desk }) => {
      const { id, writer } = await addWrittenArticle(desk, isPublic)
      await writer.save(1, { title: 'After' })

      const [published, saved] = await Promise.all([
        writer.publish(2),
        writer.save(2, { media_title: 'Caption' }),
      ])

      expect(saved.statusCode).toBe(200)
      expect(await writer.read()).toMatchObject({ title: 'After', media_title: 'Caption' })
      const { data } = (await desk.call('GET', `/articles/${id}`)).json()
      expect([published.statusCode, data.title, data.media_title]).toEqual(
        published.statusCode === 200 ? [200, 'After', ''] : [409, 'Before', ''],
      )
    },
  )

  it('published is no other text for those who write on', async ({ desk }) => {
    const { writer } = await addWrittenArticle(desk, isPublic)
    await writer.save(1, { title: 'After' })
    await writer.publish(2)

    expect((await writer.save(2, { title: 'After, and more' })).statusCode).toBe(200)
    expect((await writer.save(1, { title: 'Late' })).statusCode).toBe(409)
  })

  it.for(rounds)('changed by a script and saved keeps both (%i)', async (_round, { desk }) => {
    const { id, writer } = await addWrittenArticle(desk, isPublic)

    const replies = await Promise.all([
      writer.save(1, { title: 'Of a person' }),
      desk.call('PATCH', `/articles/${id}`, { body: { media_title: 'Of a script' }, ifMatch: '"1"' }),
    ])

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(await writer.read()).toMatchObject({ title: 'Of a person', media_title: 'Of a script' })
  })

  it.for(rounds)('deleted and saved leaves no working copy (%i)', async (_round, { site, desk }) => {
    const { id, writer } = await addWrittenArticle(desk, isPublic)

    const [saved, deleted] = await Promise.all([
      writer.save(1, { title: 'Late' }),
      desk.call('DELETE', `/articles/${id}`, { ifMatch: '"1"' }),
    ])

    expect(deleted.statusCode).toBe(200)
    expect([200, 404]).toContain(saved.statusCode)
    expect(await site.context.database.db.workingCopy.count({ where: { id } })).toBe(0)
  })

  it('published twice under one Idempotency-Key is published once', async ({ desk }) => {
    const { id, writer } = await addWrittenArticle(desk, isPublic)
    await writer.save(1, { title: 'After' })
    const publish = () => writer.publish(2, undefined, { key: `publish-${id}` })

    const replies = await Promise.all([publish(), publish()])
    const late = await publish()

    expect([...replies, late].map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(late.json().data).toMatchObject({ title: 'After', version: 3 })
    expect((await writer.versions()).filter(({ kind }) => kind === 'published')).toHaveLength(2)
  })
})
