import { articleVersion } from '@tidings/contracts/desk/writing/article-writing'
import { dataOf } from '@tidings/contracts/envelope'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { addWrittenArticle } from '#test/writing/article-writer.ts'

const unknownId = '0193a000-0000-7000-8000-000000000000'
const isPublic = { status: 'published' }

const it = siteTest()

describe('the versions of an article', () => {
  it('are what was typed and what readers got, however it was stored', async ({ desk }) => {
    const { id, writer } = await addWrittenArticle(desk)
    await writer.save(1, { title: 'Typed' })
    await desk.call('POST', `/articles/${id}/publish`)
    await writer.save(3, { title: 'Corrected' })
    await writer.publish(4)
    await desk.call('PATCH', `/articles/${id}`, { body: { title: 'Of a script' }, ifMatch: '"5"' })

    const versions = await writer.versions()
    const titles: string[] = []
    for (const version of versions) {
      const reply = await desk.call('GET', `/articles/${id}/versions/${version.id}`)
      titles.push(dataOf(articleVersion).parse(reply.json()).data.fields.title)
    }

    expect(versions.map(({ kind }, index) => `${kind} ${titles[index]}`)).toEqual([
      'published Of a script',
      'published Corrected',
      'session Corrected',
      'published Typed',
      'session Typed',
    ])
    expect(versions.every(({ savedBy }) => savedBy === 'EDITOR_API_KEY')).toBe(true)
  })

  it('are compared by fields and words, with each other and with what is written now', async ({ desk }) => {
    const { key } = await desk.addGroup()
    const { writer } = await addWrittenArticle(desk, { ...isPublic, memo_content: '<p>The old bridge.</p>' })
    await writer.save(1, { memo_content: '<p>The <em>new</em> bridge.</p>', group: key })
    const [typed, first] = await writer.versions()
    await writer.save(2, { title: 'After' })
    await writer.publish(3)
    await writer.save(4, { title: 'Later' })

    const now = await writer.compare(String(first?.id))
    const then = await writer.compare(String(first?.id), String(typed?.id))

    expect(now.map(({ field }) => field)).toEqual(['title', 'memo_content', 'group'])
    expect(then).toMatchObject([
      { field: 'title', before: 'Before', after: 'After' },
      {
        field: 'memo_content',
        words: [
          { kind: 'same', text: 'The ' },
          { kind: 'removed', text: 'old' },
          { kind: 'added', text: 'new' },
          { kind: 'same', text: ' bridge.' },
        ],
      },
      { field: 'group', before: null, after: key, words: [] },
    ])
  })

  it('are restored into the working copy, which readers don’t see', async ({ desk }) => {
    const { id, writer } = await addWrittenArticle(desk, isPublic)
    await desk.call('PATCH', `/articles/${id}`, { body: { title: 'After' }, ifMatch: '"1"' })
    const [, first] = await writer.versions()

    const restored = await writer.restore(String(first?.id), 2)

    expect(restored.json().data).toMatchObject({ title: 'Before', changed: ['title'], version: 3 })
    expect((await desk.call('GET', `/articles/${id}`)).json().data.title).toBe('After')
    await writer.save(3, { title: 'Newer' })
    const clash = await writer.restore(String(first?.id), 3)
    expect(clash.json().error).toMatchObject({ code: 'version-conflict', fields: ['title'] })
  })

  it('have the text from before a restore, however soon that is', async ({ desk }) => {
    const { writer } = await addWrittenArticle(desk, isPublic)
    await writer.save(1, { title: 'Typed' })
    const first = (await writer.versions()).at(-1)
    await writer.restore(String(first?.id), 2)
    await writer.save(3, { title: 'Typed again' })

    const versions = await writer.versions()

    expect(versions.map(({ kind }) => kind)).toEqual(['session', 'restored', 'session', 'published'])
    const [, , typed] = versions
    expect(await writer.compare(String(typed?.id))).toMatchObject([
      { field: 'title', before: 'Typed', after: 'Typed again' },
    ])
  })

  it('are restored without a group that was removed since', async ({ desk }) => {
    const group = await desk.addGroup()
    const other = await desk.addGroup()
    const { writer } = await addWrittenArticle(desk, { ...isPublic, group: group.key })
    await writer.save(1, { title: 'After', group: other.key })
    await writer.publish(2)
    await desk.call('DELETE', `/content-groups/${group.id}`, { ifMatch: '"1"' })
    const first = (await writer.versions()).at(-1)
    expect((await writer.compare(String(first?.id))).map(({ field }) => field)).toEqual(['title', 'group'])

    const restored = await writer.restore(String(first?.id), 3)

    expect(restored.json().data).toMatchObject({ title: 'Before', group: other.key })
  })

  it('of another article or a memo are not found', async ({ desk }) => {
    const [one, other] = [await addWrittenArticle(desk), await addWrittenArticle(desk)]
    const { ids } = await desk.newDraft(['A memo'])
    const [version] = await one.writer.versions()

    for (const path of [`/articles/${other.id}`, `/memos/${ids[0]}`]) {
      for (const suffix of ['', '/comparison']) {
        const reply = await desk.call('GET', `${path}/versions/${version?.id}${suffix}`)
        expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'version-not-found' })
      }
    }
    expect(refusalOf(await other.writer.restore(String(version?.id), 1)).code).toBe('version-not-found')
    expect(refusalOf(await one.writer.restore(unknownId, 1)).code).toBe('version-not-found')
  })
})

describe('a deleted article', () => {
  it('keeps its versions, and nothing of it is written any more', async ({ desk }) => {
    const { id, writer } = await addWrittenArticle(desk, isPublic)
    await writer.save(1, { title: 'Private' })
    await desk.call('DELETE', `/articles/${id}`, { ifMatch: '"1"' })

    const versions = await writer.versions()
    const [deleted] = versions
    const replies = [
      await desk.call('GET', `/articles/${id}/working-copy`),
      await writer.save(2, { title: 'Late' }),
      await writer.publish(2),
      await writer.discard(2),
      await writer.restore(String(deleted?.id), 2),
      await desk.call('GET', `/articles/${id}/versions/${deleted?.id}/comparison`),
    ]

    expect(versions.map(({ kind }) => kind)).toEqual(['deleted', 'session', 'published'])
    const reply = await desk.call('GET', `/articles/${id}/versions/${deleted?.id}`)
    expect(reply.json().data.fields.title).toBe('Before')
    for (const each of replies) {
      expect(refusalOf(each)).toMatchObject({ status: 404, code: 'article-not-found' })
    }
  })
})
