import { describe, expect } from 'vitest'
import { siteTest } from '#test/fixtures.ts'

type Sent = { type?: string; payload: string }

const urlencoded = 'application/x-www-form-urlencoded'

const it = siteTest().extend(
  'owner',
  { scope: 'file' },
  ({ site, members, db }) =>
    async (fields: object = { getmemomethodbyemail: true }) => {
      const { memberId, headers } = await members.signUp({ customFields: { name: 'Ann', ...fields } })
      const { signedLinks } = site.context
      const url = new URL(signedLinks.linkTo('preferences', `${memberId}~memo_email`)).pathname
      return {
        memberId,
        url,
        open: () => site.app.inject(url),
        post: ({ type = urlencoded, payload }: Sent) =>
          site.app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload }),
        fields: async () => (await members.call('GET', '/member', { headers })).json().data.customFields,
        row: () => db.member.findUniqueOrThrow({ where: { id: memberId } }),
      }
    },
)

describe('a preferences link', () => {
  it('shows the methods and saves others, by the rules of the dashboard', async ({ owner }) => {
    const { open, post, fields } = await owner()
    const shown = await open()
    expect(shown.body).toMatch(/value="memo_email" checked>/)
    expect(shown.body).not.toMatch(/value="digest" checked>/)
    // Its forms post to the link itself: a page that renewed the link would never end.
    expect(shown.body).not.toContain('/l/')
    const save = async (payload: string) => (await post({ payload })).body
    expect(await save('method=memo_email&method=digest&action=save')).toContain(
      'Your changes are saved. With the digest, memos are off.',
    )
    const digest = { combinestatus: true, getmemomethodbyemail: false, name: 'Ann' }
    expect(await fields()).toMatchObject(digest)
    const kept = await save('action=save&method=digest&method=pdf_email')
    expect(kept).toContain('With the digest, PDFs are off.')
    expect(kept).not.toMatch(/value="pdf_email" checked>/)
    expect(await fields()).toMatchObject(digest)
    expect(await save('action=save&method=digest&method=memo_email')).toContain(
      'With memos, the digest is off.',
    )
    expect(await fields()).toMatchObject({ combinestatus: false, getmemomethodbyemail: true })
    await save('action=save')
    expect(await fields()).toMatchObject({ combinestatus: false, getmemomethodbyemail: false })
    // As pages from before post their boxes.
    await save('method=pdf_email')
    expect(await fields()).toMatchObject({ getPDFMethodByEmail: true })
  })

  it('says which stored methods another one turns off', async ({ owner }) => {
    const { open } = await owner({ combinestatus: true, getPDFMethodByEmail: true })
    expect((await open()).body).toContain('With the digest, PDFs are off.')
  })
})

describe('a post to a preferences link that can’t be read', () => {
  it.for([
    ['JSON', 'application/json', '{"action":"save"}', 415],
    ['JSON that is no form', 'application/json', '[]', 415],
    ['plain text', 'text/plain', 'action=save', 415],
    ['another type', 'application/xml', '<save/>', 415],
    [
      'multipart',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="action"\r\n\r\nsave\r\n--b--\r\n',
      415,
    ],
    [
      'one-click, as multipart',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
      415,
    ],
    ['one-click', urlencoded, 'List-Unsubscribe=One-Click', 400],
    ['nothing', urlencoded, '', 400],
    ['an unknown action', urlencoded, 'action=delete', 400],
    ['an action twice', urlencoded, 'action=continue&action=continue', 400],
    ['two actions', urlencoded, 'action=save&action=pages&pdfFormat=a4', 400],
    ['a box twice', urlencoded, 'action=save&method=digest&method=digest', 400],
    ['an unknown box', urlencoded, 'action=save&method=memo_email&method=fax', 400],
    ['an unknown field', urlencoded, 'action=save&method=digest&utm_source=mail', 400],
    ['a field of objects', urlencoded, 'action=save&__proto__=digest', 400],
    ['bytes', urlencoded, '%FF%00=%E0%A4%A', 400],
    ['JSON in a form', urlencoded, '{"action":"save"}', 400],
    ['no day', urlencoded, 'action=pause', 400],
    ['two days', urlencoded, 'action=pause&day=2026-12-24&day=2026-12-25', 400],
    ['unknown pages', urlencoded, 'action=pages&pdfFormat=letter', 400],
    ['a day to continue', urlencoded, 'action=continue&day=2026-12-24', 400],
  ] as const)('changes nothing: %s', async ([_what, type, payload, status], { owner }) => {
    const { post, row } = await owner({ getPDFMethodByEmail: 'true', getmemomethodbyemail: true })
    const before = await row()
    const reply = await post({ type, payload })
    expect(reply.statusCode).toBe(status)
    expect(await row()).toEqual(before)
  })

  it('gets a page that says so', async ({ owner }) => {
    const { post } = await owner()
    const reply = await post({ payload: 'List-Unsubscribe=One-Click' })
    expect(reply.body).toContain('Nothing was changed')
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
  })

  it('without any type changes nothing', async ({ owner, site }) => {
    const { url, row } = await owner()
    const before = await row()
    expect((await site.app.inject({ method: 'POST', url })).statusCode).toBe(415)
    expect(await row()).toEqual(before)
  })
})

describe('the pages of PDFs on the preferences page', () => {
  it('are offered to members who receive PDFs', async ({ owner }) => {
    const { open, post, row, fields } = await owner({ getPDFMethodByEmail: true })
    expect((await open()).body).toMatch(/value="phone" checked>/)

    const saved = (await post({ payload: 'pdfFormat=a4&action=pages' })).body
    expect(saved).toContain('Your changes are saved.')
    expect(saved).toMatch(/value="a4" checked>/)
    expect(await row()).toMatchObject({ pdfFormat: 'a4' })
    expect(await fields()).toMatchObject({ getPDFMethodByEmail: true })

    const digest = (await post({ payload: 'method=digest' })).body
    expect(digest).not.toContain('Pages of the PDF')
  })
})

describe('a pause on the preferences page', () => {
  it('lasts until a later day, a year at most, and ends at once', async ({ owner }) => {
    const { open, post, row } = await owner()
    const pauseOf = async () => (await row()).deliveriesPausedUntil?.toISOString()
    const days = [
      '2026-11-20',
      '2026-02-30',
      '',
      'soon',
      '0026-12-24',
      '2027-11-21',
      '2099-01-01',
      '9999-12-31',
    ]
    for (const day of days) {
      const refused = await post({ payload: `action=pause&day=${day}` })
      expect([day, refused.statusCode]).toEqual([day, 400])
      expect(refused.body).toContain('Choose a day from tomorrow on, up to November 20, 2027.')
    }
    expect(await pauseOf()).toBeUndefined()
    expect((await open()).body).toContain('min="2026-11-21" max="2027-11-20"')

    for (const day of ['2026-11-21', '2027-11-20', '2026-12-24']) {
      await post({ payload: `action=pause&day=${day}` })
      expect(await pauseOf()).toBe(`${day}T00:00:00.000Z`)
    }
    expect((await open()).body).toContain('They continue on December 24, 2026.')
    expect((await post({ payload: 'action=continue' })).body).toContain('Deliveries continue.')
    expect(await pauseOf()).toBeUndefined()
    // Nothing is left to pause.
    expect((await post({ payload: 'action=save' })).body).not.toContain('type="date"')
  })
})
