import { getReadiness } from '@tidings/contracts/desk/writing/readiness'
import { afterAll, describe, expect, vi } from 'vitest'
import type { z } from 'zod'
import { createDeskUploads } from '#test/content/desk-uploads.ts'
import { refusalOf } from '#test/desk.ts'
import { jpegPicture } from '#test/factories/pictures.ts'
import { testPlans } from '#test/factories/plans.ts'
import { createRecipient } from '#test/factories/recipients.ts'
import { startLinkedSites } from '#test/links/linked-sites.ts'
import { type DeliverySite, deliveryTest } from '#test/sites/delivery-site.ts'
import { waitOptions } from '#test/wait-options.ts'

const asked: string[] = []
const sites = await startLinkedSites(
  (request, reply) => {
    asked.push(`${request.method} ${request.headers.host}${request.url}`)
    if (request.url === '/to-metadata') reply.setHeader('location', 'http://169.254.169.254/')
    reply.writeHead(request.url === '/gone' ? 404 : request.url === '/to-metadata' ? 302 : 200).end()
  },
  { 'inside.example': '10.0.0.7' },
)
afterAll(() => sites.stop())

const it = deliveryTest({ working: true, overrides: { linkChecker: sites.linkChecker } })
it.beforeEach(async ({ delivery }) => {
  asked.length = 0
  await delivery.db.linkCheck.deleteMany()
})
const key = '11-20-26-A'

type Readiness = z.infer<typeof getReadiness.reply>['data']

async function read({ desk }: DeliverySite): Promise<Readiness> {
  const reply = await desk.call('GET', `/editions/${key}/readiness`)
  expect(reply.statusCode).toBe(200)
  return getReadiness.reply.parse(reply.json()).data
}

/** Reads it until the job has asked all links. */
async function readChecked(delivery: DeliverySite): Promise<Readiness> {
  return await vi.waitFor(async () => {
    const readiness = await read(delivery)
    expect(readiness.isChecking).toBe(false)
    return readiness
  }, waitOptions)
}

describe('whether an edition is ready', () => {
  it('names what is missing, long titles, words and pictures', async ({ delivery }) => {
    const { desk, site, db } = delivery
    await desk.draft(key)
    const { media } = (await createDeskUploads(site).file(await jpegPicture(400, 300))).json().data
    await desk.addMemo(key, { title: 'Short', memo_content: '<p>One two three.</p>', media })
    await desk.addMemo(key, { title: 'x'.repeat(91), media, media_alt: 'A ship' })
    const bare = await desk.addMemo(key)
    await db.memo.update({ where: { id: bare.id }, data: { title: '', content: '' } })

    const [first, second, third] = (await read(delivery)).memos
    expect(first).toMatchObject({ missing: [], isTitleLong: false, words: 3 })
    expect(first?.picture).toEqual({ media, width: 400, height: 300, isSmall: true, hasAlt: false })
    expect(second).toMatchObject({ isTitleLong: true, titleCharacters: 91, picture: { hasAlt: true } })
    expect(third).toMatchObject({ missing: ['title', 'memo_content'], picture: null, links: [], words: 0 })
  })

  it('has the links of each memo, which a job asks', async ({ delivery }) => {
    const { desk } = delivery
    await desk.draft(key)
    const memo_content =
      '<p><a href="https://inside.example/">a</a> <a href="http://good.example/to-metadata">b</a> <a href="http://127.0.0.1/x">c</a> <a href="http://good.example/gone?a=1&amp;b=2">d</a></p>'
    await desk.addMemo(key, { memo_content, source: 'http://good.example/' })
    await desk.addMemo(key, { memo_content: '<p><a href="http://good.example/gone">d</a></p>' })

    const first = await read(delivery)
    expect(first.isChecking).toBe(true)
    const [one, two] = (await readChecked(delivery)).memos
    expect(one?.links.map(({ url, state, status }) => [url, state, status])).toEqual([
      ['https://inside.example/', 'refused', null],
      ['http://good.example/to-metadata', 'refused', null],
      ['http://127.0.0.1/x', 'refused', null],
      ['http://good.example/gone?a=1&b=2', 'answers', 200],
      ['http://good.example/', 'answers', 200],
    ])
    expect(two?.links).toMatchObject([{ state: 'fails', status: 404, text: 'Returns 404, checked just now' }])
    expect(asked.filter((each) => !each.includes(' good.example/'))).toEqual([])
  })

  it('asks links again after ten minutes, and once for many readers', async ({ delivery }) => {
    const { desk, site } = delivery
    await desk.draft(key)
    await desk.addMemo(key, { source: 'http://good.example/page' })
    await Promise.all([read(delivery), read(delivery), read(delivery)])
    await readChecked(delivery)
    expect(asked).toEqual(['HEAD good.example/page'])
    site.clock.pass(5 * 60_000)
    const [memo] = (await readChecked(delivery)).memos
    expect(memo?.links[0]?.text).toBe('Answers, checked 5 min ago')
    expect(asked).toHaveLength(1)
    site.clock.pass(6 * 60_000)
    await readChecked(delivery)
    expect(asked).toHaveLength(2)
  })

  it('asks again for links whose job was lost', async ({ delivery }) => {
    const { desk, site, db } = delivery
    await desk.draft(key)
    await desk.addMemo(key, { source: 'http://good.example/lost' })
    const { id } = await db.linkCheck.create({
      data: {
        id: '01900000-0000-8000-8000-000000000000',
        url: 'http://other.example/',
        requestedAt: site.clock.now(),
      },
    })
    await readChecked(delivery)
    expect(await db.linkCheck.findUnique({ where: { id } })).toMatchObject({ checkedAt: null })
    await db.linkCheck.updateMany({ data: { checkedAt: null, requestedAt: site.clock.now() } })
    expect((await read(delivery)).isChecking).toBe(true)
    site.clock.pass(61_000)
    await readChecked(delivery)
    expect(asked).toEqual(['HEAD good.example/lost', 'HEAD good.example/lost'])
  })

  it('names memos of the last days with a similar title', async ({ delivery }) => {
    const { desk } = delivery
    await delivery.publish('11-12-26-B', ['Ships sail again in the strait', 'Rain in the south'])
    await desk.draft('11-19-26-C', ['Ships sail again in the straits'])
    await desk.draft('09-01-26-C', ['Ships sail again in the strait'])
    await desk.draft(key, ['Ships sail again in the Strait!', 'Something else'])
    const [first, second] = (await read(delivery)).memos
    expect(first?.duplicates.map(({ edition }) => edition)).toEqual(['11-12-26-B', '11-19-26-C'])
    expect(second?.duplicates).toEqual([])
  })

  it('counts the recipients of each method, with the reason for none', async ({ delivery }) => {
    const { desk, site } = delivery
    await desk.draft(key, ['First'])
    await createRecipient(site)
    await createRecipient(site)
    await createRecipient(site, { customFields: { getPDFMethodByEmail: true }, planId: null })
    await createRecipient(site, { customFields: { getPDFMethodByEmail: true }, verified: false })
    await createRecipient(site, { customFields: { combinestatus: true }, planId: testPlans.yearly })
    const before = await read(delivery)
    expect(before.recipients.find(({ method }) => method === 'pdf-email')).toEqual({
      method: 'pdf-email',
      count: 0,
      reason:
        'Nobody can get it now: 1 without a plan that delivers, 1 with an address or number that isn’t verified.',
    })
    expect(before.members).toBe(2)
    await createRecipient(site, { customFields: { getmemomethodbyemail: true, getPDFMethodByEmail: true } })
    const { recipients, members } = await read(delivery)
    expect(members).toBe(3)
    expect(recipients).toEqual([
      { method: 'memo-email', count: 3, reason: null },
      { method: 'memo-sms', count: 0, reason: 'This site doesn’t send it.' },
      { method: 'pdf-email', count: 1, reason: null },
      { method: 'pdf-sms', count: 0, reason: 'This site doesn’t send it.' },
      { method: 'digest', count: 1, reason: null },
      { method: 'web-push', count: 0, reason: 'This site doesn’t send it.' },
    ])
  })

  it('is refused for an unknown edition and a key without the scope', async ({ delivery: { desk } }) => {
    const path = `/editions/${key}/readiness`
    expect(refusalOf(await desk.call('GET', path))).toMatchObject({ status: 404, code: 'edition-not-found' })
    const { as } = await desk.keyWith('publish')
    expect(refusalOf(await desk.call('GET', path, { as })).code).toBe('scope-missing')
  })
})

describe('POST /desk/v1/links/check', () => {
  it.for([
    ['http://good.example/', 'answers', 'Answers, checked just now'],
    ['http://good.example/gone', 'fails', 'Returns 404, checked just now'],
    ['http://127.0.0.1:5432/', 'refused', 'Isn’t a public address, so readers can’t open it'],
    ['http://169.254.169.254/latest/', 'refused', 'Isn’t a public address, so readers can’t open it'],
    ['http://good.example/to-metadata', 'refused', 'Isn’t a public address, so readers can’t open it'],
    ['http://inside.example/', 'refused', 'Isn’t a public address, so readers can’t open it'],
  ])('says of %s: %s', async ([url, state, text], { delivery: { desk } }) => {
    const reply = await desk.call('POST', '/links/check', { body: { url } })
    expect(reply.json().data).toMatchObject({ url, state, text })
  })

  it('asks an address once in ten minutes', async ({ delivery: { desk, site } }) => {
    const check = async () =>
      (await desk.call('POST', '/links/check', { body: { url: 'http://good.example/once' } })).json().data
        .text
    await check()
    site.clock.pass(60_000)
    expect(await check()).toBe('Answers, checked 1 min ago')
    expect(asked).toHaveLength(1)
    site.clock.pass(10 * 60_000)
    expect(await check()).toBe('Answers, checked just now')
    expect(asked).toHaveLength(2)
  })

  it('is limited for each editor, and refuses what is no web address', async ({
    delivery: { desk, site },
  }) => {
    const { as } = await desk.keyWith('write')
    const check = (url: string) => desk.call('POST', '/links/check', { body: { url }, as })
    site.limitCalls('linkChecks', 1)
    expect((await check('http://good.example/1')).statusCode).toBe(200)
    expect(refusalOf(await check('http://good.example/2')).code).toBe('too-many-requests')
    expect((await check('http://good.example/1')).statusCode).toBe(200)
    expect(refusalOf(await check('file:///etc/passwd')).code).toBe('invalid-request')
    const { as: reader } = await desk.keyWith('read')
    const body = { url: 'http://good.example/' }
    expect(refusalOf(await desk.call('POST', '/links/check', { body, as: reader })).code).toBe(
      'scope-missing',
    )
  })
})
