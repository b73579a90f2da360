import { commentContext, type DeskComment, deskComment } from '@tidings/contracts/desk/comments'
import { dataOf, pageOf } from '@tidings/contracts/envelope'
import { describe, expect } from 'vitest'
import { createTestDiscussion } from '#test/content/discussion.ts'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'

const unknownComment = `cmt_${'a'.repeat(24)}`

const it = siteTest()
  .extend('talk', { scope: 'file' }, ({ members }) => createTestDiscussion(members))
  .extend('ann', { scope: 'file' }, ({ members }) => members.signUp({ customFields: { name: 'Ann Quill' } }))
  .extend('ben', { scope: 'file' }, ({ members }) => members.signUp())
  .extend('list', { scope: 'file' }, ({ desk }) => async (query: string): Promise<DeskComment[]> => {
    const reply = await desk.call('GET', `/comments?${query}`)
    return pageOf(deskComment.strict()).parse(reply.json()).data
  })

describe('finding comments', () => {
  it('by words of the comment or of the name of its author, and by what is new', async ({
    site,
    talk,
    ann,
    ben,
    list,
  }) => {
    const post = await talk.post(ann, 'find', 'An <strong>un</strong>usual axolotl')
    await talk.thread(ben, post.id, 'About axolotls')
    const contents = async (query: string) =>
      (await list(`channelKey=find&${query}`)).map(({ memberId }) => memberId)

    expect(await contents('q=unusual')).toEqual([ann.memberId])
    expect((await contents('q=AXOLOTL')).toSorted()).toEqual([ann.memberId, ben.memberId].toSorted())
    expect(await contents('q=quill%20ann')).toEqual([ann.memberId])
    expect(await contents('q=axolotl&show=new')).toHaveLength(2)
    site.clock.pass(24 * 3_600_000 + 1)
    expect(await contents('q=axolotl&show=new')).toEqual([])
  })

  it('by days of the site, with the other filters', async ({ site, talk, ann, ben, list }) => {
    const { id: first } = await talk.post(ann, 'days', 'A numbat of the first')
    const { id: second } = await talk.post(ben, 'days', 'A numbat of the second')
    const { db } = site.context.database
    const times = { [first]: '2022-03-06T07:59:59.999Z', [second]: '2022-03-06T08:00:00.000Z' }
    for (const [id, createdAt] of Object.entries(times))
      await db.commentPost.update({ where: { id }, data: { createdAt } })
    const ids = async (query: string) => (await list(`channelKey=days&${query}`)).map(({ id }) => id)

    expect(await ids('from=2022-03-05&to=2022-03-06')).toEqual([second, first])
    expect(await ids('from=2022-03-06')).toEqual([second])
    expect(await ids('to=2022-03-05&q=numbat')).toEqual([first])
    expect(await ids(`from=2022-03-05&to=2022-03-06&q=numbat&memberId=${ben.memberId}`)).toEqual([second])
    expect(await ids('from=2022-03-05&show=new')).toEqual([])
  })

  it('shows the title of the article and the key of the edition', async ({ site, desk, ann, list }) => {
    const { id: articleId, title } = await desk.addArticle({ title: 'Doctors get one form' })
    const { appId } = site.context.config.site
    const { db } = site.context.database
    for (const key of [`article:${articleId}`, 'edition:11-20-26-10AM', 'article:x']) {
      await db.commentChannel.create({
        data: {
          appId,
          key,
          posts: {
            create: {
              id: `cmt_${key.replace(/\W/g, '').slice(0, 20)}`,
              memberId: ann.memberId,
              content: 'x',
              createdAt: site.clock.now(),
            },
          },
        },
      })
    }

    expect((await list(`channelKey=article:${articleId}`))[0]).toMatchObject({
      article: { id: articleId, title },
      edition: null,
    })
    expect((await list('channelKey=edition:11-20-26-10AM'))[0]).toMatchObject({
      article: null,
      edition: '11-20-26-10AM',
    })
    expect((await list('channelKey=article:x'))[0]).toMatchObject({ article: null, edition: null })
  })

  it('returns a comment with those around it and its author', async ({ talk, ann, ben, desk }) => {
    const channel = 'context'
    const first = await talk.post(ann, channel, 'Before')
    const post = await talk.post(ann, channel, 'The post')
    await talk.post(ann, channel, 'After')
    const threads: string[] = []
    for (const content of ['T1', 'T2', 'T3']) threads.push((await talk.thread(ben, post.id, content)).id)
    await desk.call('POST', '/comments/hide', { body: { ids: [first.id] } })
    const contextOf = async (id: string) =>
      dataOf(commentContext).parse((await desk.call('GET', `/comments/${id}`)).json()).data

    const ofPost = await contextOf(post.id)
    const ofThread = await contextOf(threads[1] ?? '')

    expect(ofPost.around.map(({ content }) => content)).toEqual([
      'Before',
      'The post',
      'T1',
      'T2',
      'T3',
      'After',
    ])
    expect(ofPost.comment.content).toBe('The post')
    expect(ofPost.author).toMatchObject({ memberId: ann.memberId, name: 'Ann Quill', allHidden: false })
    expect(ofPost.author.hidden).toBeGreaterThanOrEqual(1)
    expect(ofPost.author.comments).toBeGreaterThan(ofPost.author.hidden)
    expect(ofThread.around.map(({ content }) => content)).toEqual(['The post', 'T1', 'T2', 'T3'])
    expect(refusalOf(await desk.call('GET', `/comments/${unknownComment}`))).toMatchObject({
      status: 404,
      code: 'comment-not-found',
    })
  })
})
