import { describe, expect } from 'vitest'
import { sentDelivery } from '#test/factories/deliveries.ts'
import { siteTest } from '#test/fixtures.ts'

const dayMs = 86_400_000
let days = 1

const it = siteTest().extend(
  'sent',
  { scope: 'file' },
  ({ site, members }) =>
    async (fields: object = { getmemomethodbyemail: true }, memos = 1) => {
      const member = await members.signUp({ customFields: { name: 'Ann', ...fields } })
      const key = `11-${String(days++).padStart(2, '0')}-26-3PM`
      const made = await sentDelivery(site, { ...member, key, memos })
      return { ...made, ...member, key }
    },
)

const form = { 'content-type': 'application/x-www-form-urlencoded' }

describe('a link in a text', () => {
  it('opens its delivery alone, and is kept by no cache', async ({ site, sent }) => {
    const { smsLinks } = site.context
    const { delivery } = await sent({}, 2)
    const open = (link: string) => site.app.inject(new URL(link).pathname)
    const page = await open(smsLinks.linkTo('view', delivery.id))
    expect([page.statusCode, page.body.includes('The text of memo 2.')]).toEqual([200, true])
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    expect(page.headers).not.toHaveProperty('set-cookie')
    for (const purpose of ['pdf', 'a4'] as const) {
      const pdf = await open(smsLinks.linkTo(purpose, delivery.id))
      expect([pdf.statusCode, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
      expect(pdf.headers).toMatchObject({ 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' })
    }
  })

  it('expires after 400 days, and with the row of its delivery', async ({ site, sent, db }) => {
    const { delivery } = await sent()
    const url = new URL(site.context.smsLinks.linkTo('view', delivery.id)).pathname
    const now = site.clock.now()
    try {
      site.clock.pass(400 * dayMs)
      expect((await site.app.inject(url)).statusCode).toBe(200)
      site.clock.pass(1)
      expect((await site.app.inject(url)).statusCode).toBe(410)
    } finally {
      site.clock.moveTo(now)
    }
    await db.delivery.delete({ where: { id: delivery.id } })
    expect((await site.app.inject(url)).body).toContain('This link has expired')
  })

  it('changes nothing by any method', async ({ site, sent }) => {
    const { delivery, headers } = await sent()
    const url = new URL(site.context.smsLinks.linkTo('view', delivery.id)).pathname
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      const reply = await site.app.inject({ method, url, headers: form, payload: '' })
      expect([method, reply.statusCode]).toEqual([method, 404])
    }
    await site.app.inject({ method: 'HEAD', url })
    expect((await site.app.inject({ url: '/member', headers })).json().data.customFields).toMatchObject({
      getmemomethodbyemail: true,
    })
  })

  it('as it was before still works', async ({ site, sent }) => {
    const { delivery } = await sent()
    for (const purpose of ['view', 'pdf', 'a4'] as const) {
      expect(
        (await site.app.inject(new URL(site.context.signedLinks.linkTo(purpose, delivery.id)).pathname))
          .statusCode,
      ).toBe(200)
    }
  })

  it('can’t be guessed: a network may try a few only', async ({ site, sent }) => {
    const { delivery } = await sent()
    const remoteAddress = '10.9.9.9'
    const valid = new URL(site.context.smsLinks.linkTo('view', delivery.id)).pathname
    const tryOne = async (url: string) => (await site.app.inject({ url, remoteAddress })).statusCode
    const { points } = site.context.config.rateLimits.invalidLinks
    for (let tried = 0; tried < points; tried += 1) {
      expect(await tryOne(`/l/${'A'.repeat(36)}${'ABCD'[tried % 4]}`)).toBe(404)
    }
    expect([await tryOne('/l/guess'), await tryOne('/l/view/guess')]).toEqual([429, 429])
    expect(await tryOne(valid)).toBe(200)
  })
})
