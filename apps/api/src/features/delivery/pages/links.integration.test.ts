import { describe, expect } from 'vitest'
import { sentDelivery } from '#test/factories/deliveries.ts'
import { jpegPicture } from '#test/factories/pictures.ts'
import { siteTest } from '#test/fixtures.ts'
import { readPdf } from '#test/pdf/read-pdf.ts'
import type { TestApp } from '#test/test-app.ts'
import type { LinkPurpose } from '../links/signed-links.ts'

const dayMs = 86_400_000
let days = 1

const it = siteTest().extend(
  'sent',
  { scope: 'file' },
  ({ site, members }) =>
    async (fields: object = { getmemomethodbyemail: true }, memos = 1) => {
      const member = await members.signUp({ customFields: { name: 'Ann', ...fields } })
      const key = `11-${String(days++).padStart(2, '0')}-26-10AM`
      const made = await sentDelivery(site, { ...member, key, memos })
      return { ...made, ...member, key }
    },
)

function pathOf({ context }: TestApp, purpose: LinkPurpose, subject: string): string {
  return new URL(context.signedLinks.linkTo(purpose, subject)).pathname
}

/** Returns the path of a link that names a member who gets memos by email. */
function memberPath(site: TestApp, purpose: 'preferences' | 'unsubscribe', memberId: string): string {
  return pathOf(site, purpose, `${memberId}~memo_email`)
}

async function fieldsOf(site: TestApp, headers: Record<string, string>) {
  const reply = await site.app.inject({ url: '/member', headers })
  return reply.json().data.customFields
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }

describe('an unsubscribe link', () => {
  it('shows a page with one button and changes nothing, as mail scanners open links', async ({
    site,
    sent,
  }) => {
    const { memberId, headers } = await sent()
    const url = memberPath(site, 'unsubscribe', memberId)
    for (const method of ['GET', 'HEAD', 'GET'] as const) {
      const reply = await site.app.inject({ method, url })
      expect(reply.statusCode).toBe(200)
      expect(reply.headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      })
      expect(reply.headers).not.toHaveProperty('set-cookie')
      if (method === 'GET') expect(reply.body.match(/<button/g)).toHaveLength(1)
      expect(reply.body).not.toContain('/l/')
    }
    expect(await fieldsOf(site, headers)).toMatchObject({ getmemomethodbyemail: true })
  })

  it.for([
    ['a mail service, without Origin or session', { ...form }, 'List-Unsubscribe=One-Click'],
    [
      'a mail service, as multipart',
      { 'content-type': 'multipart/form-data; boundary=b' },
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    ],
    ['the button', { ...form, origin: 'null' }, ''],
    ['a mail service, with a charset', { 'content-type': `${form['content-type']};charset=utf-8` }, 'a=b'],
    [
      'a mail program, as plain text',
      { 'content-type': 'text/plain;charset=UTF-8' },
      'List-Unsubscribe=One-Click',
    ],
    ['a mail service that sends no body', {}, undefined],
    ['a mail service that sends an empty form', { ...form, 'content-length': '0' }, undefined],
  ] as const)(
    'turns its method off at once for a post of %s',
    async ([_who, headers, payload], { site, sent }) => {
      const given = await sent({ getmemomethodbyemail: 'true', getPDFMethodByEmail: true })
      // The response of GET /member is cached.
      expect(await fieldsOf(site, given.headers)).toMatchObject({ getPDFMethodByEmail: true })
      const url = memberPath(site, 'unsubscribe', given.memberId)
      const reply = await site.app.inject({
        method: 'POST',
        url,
        headers,
        ...(payload !== undefined && { payload }),
      })
      expect(reply.statusCode).toBe(200)
      expect(reply.body).toContain('You’re unsubscribed')
      expect(reply.body).not.toContain('/l/')
      const fields = await fieldsOf(site, given.headers)
      expect(fields).toMatchObject({ name: 'Ann', getmemomethodbyemail: false, getPDFMethodByEmail: true })
      const replayed = await site.app.inject({
        method: 'POST',
        url,
        headers,
        ...(payload !== undefined && { payload }),
      })
      expect(replayed.body).toContain('You’re unsubscribed')
      expect(await fieldsOf(site, given.headers)).toEqual(fields)
    },
  )

  it.for<[string, string]>([
    ['application/json', '{"List-Unsubscribe":"One-Click"}'],
    ['text/plain', 'unsubscribe'],
    ['application/xml', '<unsubscribe/>'],
  ])('changes nothing for a post as %s', async ([type, payload], { site, sent }) => {
    const { memberId, headers } = await sent()
    const url = memberPath(site, 'unsubscribe', memberId)
    const reply = await site.app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload })
    expect(reply.statusCode).toBe(415)
    expect(await fieldsOf(site, headers)).toMatchObject({ getmemomethodbyemail: true })
  })

  it('from the digest turns on nothing that the digest replaced', async ({ site, sent }) => {
    const { memberId, headers } = await sent({ combinestatus: true, getPDFMethodByEmail: true })
    const url = pathOf(site, 'unsubscribe', `${memberId}~digest`)
    await site.app.inject({ method: 'POST', url, headers: form, payload: '' })
    expect(await fieldsOf(site, headers)).toMatchObject({ combinestatus: false, getPDFMethodByEmail: false })
  })

  it('of a deleted account says so', async ({ site, sent }) => {
    const { memberId, headers } = await sent()
    await site.app.inject({ method: 'DELETE', url: '/member', headers })
    const url = memberPath(site, 'unsubscribe', memberId)
    const reply = await site.app.inject({ method: 'POST', url, headers: form, payload: '' })
    expect(reply.body).toContain('This account is deleted')
  })
})

describe('a forged link', () => {
  it('changes nothing and gets a clear page', async ({ site, sent }) => {
    const { delivery, memberId, headers } = await sent()
    const other = await sent()
    const own = memberPath(site, 'unsubscribe', memberId)
    const [, signature = ''] = own.split('.')
    const forged = [
      own.replace(memberId, other.memberId),
      own.replace('memo_email', 'digest'),
      own.slice(0, -1),
      own.replace(signature, ''),
      pathOf(site, 'view', delivery.id).replace('view', 'unsubscribe'),
      '/l/unsubscribe/please',
    ]
    for (const url of forged) {
      const reply = await site.app.inject({ method: 'POST', url, headers: form, payload: '' })
      expect([url, reply.statusCode]).toEqual([url, 404])
      expect(reply.body).toContain('This link doesn’t work')
    }
    expect(await fieldsOf(site, headers)).toMatchObject({ getmemomethodbyemail: true })
    expect(await fieldsOf(site, other.headers)).toMatchObject({ getmemomethodbyemail: true })
  })
})

describe('a web view', () => {
  it('shows the edition as it is now and gives no gate pass', async ({ site, sent, db }) => {
    const { delivery, edition, memberId, memos } = await sent({}, 2)
    const url = pathOf(site, 'view', delivery.id)
    const reply = await site.app.inject(url)
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toContain('The text of memo 2.')
    // The page may be passed on.
    expect(reply.body).not.toMatch(/unsubscribe|l\/preferences|<form/)
    expect(reply.body).not.toContain(memberId)
    expect(reply.body).toContain('/#/account/dashboard')
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    expect(reply.headers).not.toHaveProperty('set-cookie')
    await db.memo.update({ where: { id: memos[1]?.id ?? '' }, data: { content: '<p>A correction.</p>' } })
    expect((await site.app.inject(url)).body).toContain('A correction.')
    await db.edition.update({ where: { id: edition.id }, data: { status: 'draft', publishedAt: null } })
    const withdrawn = await site.app.inject(url)
    expect([withdrawn.statusCode, withdrawn.body]).toEqual([410, expect.stringContaining('was withdrawn')])
  })
})

describe('a picture link', () => {
  it('opens a picture of a published edition only', async ({ site, sent, db }) => {
    const { key, memos, edition } = await sent()
    const { media } = site.context
    const picture = await media.prepare(await jpegPicture(), 'editorial')
    await db.memo.update({ where: { id: memos[0]?.id ?? '' }, data: { mediaFile: picture.file } })
    const url = pathOf(site, 'picture', `${key}~${picture.file}`)
    const reply = await site.app.inject(url)
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect((await site.app.inject(pathOf(site, 'picture', `${key}~other.jpg`))).statusCode).toBe(404)
    expect((await site.app.inject(url.slice(0, -1))).statusCode).toBe(404)
    expect(edition.status).toBe('published')
  })
})

describe('a PDF link', () => {
  it('opens the PDF of a published edition without the gate, as it is now, until it expires', async ({
    site,
    sent,
    db,
  }) => {
    const { key, memos, edition } = await sent()
    const url = pathOf(site, 'pdf', `${key}~phone`)
    const reply = await site.app.inject(url)
    expect(reply.statusCode).toBe(200)
    expect(reply.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="${key}.pdf"`,
      'x-robots-tag': 'noindex',
    })
    expect(reply.headers).not.toHaveProperty('set-cookie')
    expect((await readPdf(reply.rawPayload)).bookmarks).toEqual(['Memo 1'])

    await db.memo.update({ where: { id: memos[0]?.id ?? '' }, data: { title: 'A correction' } })
    await db.edition.update({ where: { id: edition.id }, data: { version: { increment: 1 } } })
    expect((await readPdf((await site.app.inject(url)).rawPayload)).bookmarks).toEqual(['A correction'])

    const now = site.clock.now()
    site.clock.pass(401 * dayMs)
    const expired = await site.app.inject(url)
    site.clock.moveTo(now)
    expect([expired.statusCode, expired.body]).toEqual([410, expect.stringContaining('has expired')])
    await db.edition.update({ where: { id: edition.id }, data: { status: 'draft', publishedAt: null } })
    const withdrawn = await site.app.inject(url)
    expect([withdrawn.statusCode, withdrawn.body]).toEqual([410, expect.stringContaining('was withdrawn')])
  })

  it('opens nothing else', async ({ site, sent }) => {
    const { key, delivery } = await sent()
    const own = pathOf(site, 'pdf', `${key}~phone`)
    const forged = [
      own.replace('phone', 'a4'),
      own.slice(0, -1),
      pathOf(site, 'view', delivery.id).replace('view', 'pdf'),
      own.replace('pdf', 'picture'),
    ]
    for (const url of forged) expect([url, (await site.app.inject(url)).statusCode]).toEqual([url, 404])
  })
})

describe('an old link', () => {
  it('unsubscribes for years, also once the delivery is archived, and then leads to the account', async ({
    site,
    sent,
    db,
  }) => {
    const { delivery, memberId, headers } = await sent()
    const paths = [
      memberPath(site, 'unsubscribe', memberId),
      memberPath(site, 'preferences', memberId),
      pathOf(site, 'view', delivery.id),
    ]
    const open = (index: number) =>
      site.app.inject({ method: index === 0 ? 'POST' : 'GET', url: paths[index] ?? '', headers: form })
    const statuses = async () => (await Promise.all([0, 1, 2].map(open))).map(({ statusCode }) => statusCode)
    const now = site.clock.now()
    await db.delivery.delete({ where: { id: delivery.id } })
    expect(await statuses()).toEqual([200, 200, 410])
    expect(await fieldsOf(site, headers)).toMatchObject({ getmemomethodbyemail: false })
    try {
      site.clock.pass(3_649 * dayMs)
      expect(await statuses()).toEqual([200, 410, 410])
      site.clock.pass(2 * dayMs)
      expect(await statuses()).toEqual([410, 410, 410])
      expect((await open(0)).body).toContain('This link has expired')
    } finally {
      site.clock.moveTo(now)
    }
  })

  it('of a preview or a test changes nothing', async ({ site }) => {
    const reply = await site.app.inject({ method: 'POST', url: memberPath(site, 'unsubscribe', '') })
    expect([reply.statusCode, reply.body]).toEqual([200, expect.stringContaining('This is a test link')])
  })
})
