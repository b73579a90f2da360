import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, describe, expect } from 'vitest'
import { createDeskUploads } from '#test/content/desk-uploads.ts'
import { refusalOf } from '#test/desk.ts'
import { jpegPicture } from '#test/factories/pictures.ts'
import { createRecipient, createSmsRecipient } from '#test/factories/recipients.ts'
import { withoutSignatures } from '#test/links/without-signatures.ts'
import { readPdf } from '#test/pdf/read-pdf.ts'
import { type DeliverySite, deliveryTest } from '#test/sites/delivery-site.ts'
import { startPhones } from '#test/sms/phones.ts'

const phones = await startPhones()
afterAll(() => phones.stop())

const it = deliveryTest({ env: phones.env })
const key = '11-20-26-A'

/** Previews an unsaved edition. */
async function preview(
  { desk }: DeliverySite,
  method: string,
  memos: readonly object[],
  more: object = {},
): Promise<LightMyRequestResponse> {
  return await desk.call('POST', `/preview/${method}`, { body: { edition: key, memos, ...more } })
}

/** Opens an address of the site without a key or a pass. */
async function open({ site }: DeliverySite, url: string, headers: Record<string, string> = {}) {
  const { pathname, search } = new URL(url)
  return await site.app.inject({ url: pathname + search, headers })
}

async function uploaded({ site }: DeliverySite): Promise<string> {
  const reply = await createDeskUploads(site).file(await jpegPicture(400, 300))
  return reply.json().data.media
}

describe('a preview of unsaved text', () => {
  it('is the email that a test and members get, but for addresses', async ({ delivery }) => {
    const { desk, script, site } = delivery
    await desk.draft(key)
    const memo = {
      title: 'Ships',
      memo_content: '<p>They <b>sail</b> <a href="https://example.com/a">again</a>.</p>',
      source: 'https://example.com/source',
      media: await uploaded(delivery),
      media_title: 'A ship',
      media_text: '<p>By night</p>',
    }
    const shown = (await preview(delivery, 'email', [memo])).json().data
    const page = (await open(delivery, shown.url)).body
    await desk.addMemo(key, memo)
    const body = { method: 'memo-email', to: 'desk@example.com' }
    expect((await desk.call('POST', `/editions/${key}/test-send`, { body })).statusCode).toBe(200)
    await createRecipient(site)
    await delivery.send(await delivery.publishDraft(key))

    const [test, sent] = script.sent
    expect(page).toContain('<b>sail</b>')
    expect(withoutSignatures(page)).toBe(withoutSignatures(sent?.html))
    expect(withoutSignatures(test?.html)).toBe(withoutSignatures(sent?.html))
    expect(withoutSignatures(shown.text)).toBe(withoutSignatures(sent?.text))
    expect(withoutSignatures(test?.text)).toBe(withoutSignatures(sent?.text))
    expect([shown.subject, test?.subject]).toEqual([sent?.subject, `[Test] ${sent?.subject}`])
  })

  it('is stored nowhere as a memo, and may lack any field', async ({ delivery }) => {
    await delivery.desk.draft(key)
    const memos = [{}, { title: 'Only a title' }, { memo_content: '<p>Only a text</p>' }, { source: 'http' }]
    for (const method of ['phone', 'email', 'sms', 'pdf']) {
      expect((await preview(delivery, method, memos)).statusCode, method).toBe(200)
    }
    expect((await delivery.desk.read(key)).memos).toEqual([])
  })

  it('has the cleaned memos as the site gets them', async ({ delivery }) => {
    await delivery.desk.draft(key)
    const broken =
      '<p>An <b>open <i>tag</p><script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:1">x'
    const file = await uploaded(delivery)
    const reply = await preview(delivery, 'phone', [{ title: 'Broken', memo_content: broken, media: file }])
    const { date, time_stamp, memos, pictures } = reply.json().data
    expect([date, time_stamp]).toEqual(['11-20-26', 'A'])
    expect(memos[0]).toMatchObject({ title: 'Broken', media: file, counter: 0 })
    expect(memos[0].memo_content).toContain('An <b>open <i>tag</i></b>')
    expect(memos[0].memo_content).not.toMatch(/script|onerror|alert|javascript/)
    expect((await open(delivery, pictures[file])).headers['content-type']).toMatch(/^image\//)
  })

  it('shows broken HTML in an email without what could run', async ({ delivery }) => {
    await delivery.desk.draft(key)
    const memo = {
      title: '<script>1</script>',
      memo_content: '</div></table><p onclick=x>Text<script>alert(1)</script>',
    }
    const { url } = (await preview(delivery, 'email', [memo])).json().data
    const { body } = await open(delivery, url)
    expect(body).toContain('Text')
    expect(body).not.toMatch(/<script|onclick|alert/)
  })

  it('tells the segments and the price of a text', async ({ delivery }) => {
    await delivery.desk.draft(key)
    const memos = Array.from({ length: 8 }, (_, index) => ({ title: `A rather long title, number ${index}` }))
    const { text, segments, price, texts } = (await preview(delivery, 'sms', memos)).json().data
    expect(text).toContain('A rather long title, number 0')
    expect(segments).toBeGreaterThan(1)
    expect(price.amount).toBeGreaterThan(0)
    expect(texts).toMatchObject({ texts: 0, currency: price.currency })
  })

  it('is the text that a test and members get, but for addresses', async ({ delivery }) => {
    const { desk, site } = delivery
    await desk.draft(key, ['Ships', 'Rains'])
    const member = await createSmsRecipient(site)
    const shown = (await preview(delivery, 'sms', [{ title: 'Ships' }, { title: 'Rains' }])).json().data
    const body = { method: 'memo-sms', to: '+12025557777' }
    await desk.call('POST', `/editions/${key}/test-send`, { body })
    await delivery.sendSms(await delivery.publishDraft(key))
    // The first text of a month also says how to stop.
    const withoutLink = (text = '') =>
      text.replace(/http\S+/, 'link').replace('\nReply STOP to end texts.', '')
    const [test] = await phones.textsTo('+12025557777')
    const [sent] = await phones.textsTo(member.number)
    expect(shown.text).toContain('Ships; Rains')
    expect(withoutLink(sent)).toBe(withoutLink(shown.text))
    expect(withoutLink(test)).toBe(`[Test] ${withoutLink(sent)}`)
  })

  it('is the PDF that members get, and leaves none in the store', async ({ delivery }) => {
    const { desk, site } = delivery
    await desk.draft(key)
    const memo = { title: 'Paper', memo_content: '<p>Ink</p>', media: await uploaded(delivery) }
    const shown = (await preview(delivery, 'pdf', [memo])).json().data
    const page = await open(delivery, shown.url)
    expect(page.headers['content-type']).toBe('application/pdf')
    expect(page.rawPayload.byteLength).toBe(shown.bytes)
    const folder = path.join(site.context.config.dataDir, 'pdf')
    expect(await readdir(folder).catch(() => [])).toEqual([])
    await desk.addMemo(key, memo)
    const stored = await desk.call('GET', `/editions/${key}/pdf`)
    expect(await readPdf(page.rawPayload)).toEqual(await readPdf(stored.rawPayload))
    expect((await readPdf(page.rawPayload)).alts).toEqual(['Paper'])
  })

  it('is refused for an unknown edition, an unknown picture and a key without the scope', async ({
    delivery,
  }) => {
    const { desk } = delivery
    expect(refusalOf(await preview(delivery, 'phone', [{}]))).toMatchObject({
      status: 404,
      code: 'edition-not-found',
    })
    await desk.draft(key)
    const unknown = [{ media: `${'z'.repeat(26)}.jpg` }]
    expect(refusalOf(await preview(delivery, 'phone', unknown)).code).toBe('invalid-request')
    expect(refusalOf(await preview(delivery, 'fax', [{}])).status).toBe(404)
    expect(refusalOf(await preview(delivery, 'email', [])).code).toBe('invalid-request')
    const { as } = await desk.keyWith('publish')
    for (const method of ['phone', 'email', 'sms', 'pdf']) {
      const body = { edition: key, memos: [{ title: 'Secret' }] }
      const reply = await desk.call('POST', `/preview/${method}`, { body, as })
      expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'scope-missing' })
    }
  })
})

describe('the address of a preview', () => {
  async function addressOf(delivery: DeliverySite): Promise<string> {
    await delivery.desk.draft(key)
    return (await preview(delivery, 'email', [{ title: 'Ships' }])).json().data.url
  }

  it('ends after ten minutes, and others never were', async ({ delivery }) => {
    const url = await addressOf(delivery)
    expect((await open(delivery, url)).statusCode).toBe(200)
    delivery.site.clock.pass(601_000)
    const ended = { status: 410, code: 'preview-ended' }
    expect(refusalOf(await open(delivery, url))).toMatchObject(ended)
    expect(refusalOf(await open(delivery, `${url}x`))).toMatchObject(ended)
    await preview(delivery, 'email', [{ title: 'Next' }])
    expect(await delivery.db.previewPage.count()).toBe(1)
    delivery.site.clock.pass(601_000)
    await delivery.site.context.removeOld()
    expect(await delivery.db.previewPage.count()).toBe(0)
  })

  it('is in a sandbox of its own and in no frame of another origin', async ({ delivery }) => {
    const url = await addressOf(delivery)
    const { headers } = await open(delivery, url, { 'sec-fetch-site': 'same-origin' })
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'self'")
    expect(policy).toContain('sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox')
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    for (const from of ['cross-site', 'same-site']) {
      const reply = await open(delivery, url, { 'sec-fetch-site': from, 'sec-fetch-dest': 'iframe' })
      expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'preview-framed' })
    }
  })
})

describe('a picture of a draft', () => {
  it('is fetched by a signed address, which ends, and by no other', async ({ delivery }) => {
    const { desk, site } = delivery
    const file = await uploaded(delivery)
    await desk.draft(key)
    await desk.addMemo(key, { media: file })
    const path = `/media/11-20-26/A/${file}`
    expect((await site.app.inject({ url: path, headers: { cookie: site.pass } })).statusCode).toBe(404)

    const { url, width, height } = (await desk.call('GET', `/media/${file}`)).json().data
    expect([width, height]).toEqual([400, 300])
    expect((await open(delivery, `${url}?w=360`)).headers['content-type']).toMatch(/^image\//)
    expect((await open(delivery, url.replace(file, `${'y'.repeat(26)}.jpg`))).statusCode).toBe(404)
    site.clock.pass(9 * 86_400_000)
    expect((await open(delivery, url)).statusCode).toBe(404)
    expect(refusalOf(await desk.call('GET', `/media/${'y'.repeat(26)}.jpg`)).code).toBe('media-not-found')
  })

  it('loads in a test by email', async ({ delivery }) => {
    const { desk, script } = delivery
    await desk.draft(key)
    await desk.addMemo(key, { media: await uploaded(delivery) })
    const body = { method: 'memo-email', to: 'desk@example.com' }
    await desk.call('POST', `/editions/${key}/test-send`, { body })
    const [, src = ''] = /<img src="([^"]+)"/.exec(script.sent[0]?.html ?? '') ?? []
    expect((await open(delivery, src)).statusCode).toBe(200)
  })
})

describe('the preview of a digest', () => {
  it('has the drafts of the day, one of them as it stands in the editor', async ({ delivery }) => {
    const { desk } = delivery
    await delivery.publish('11-20-26-A', ['Published'])
    await desk.draft('11-20-26-B', ['Stored draft'])
    await desk.draft('11-20-26-C', ['Replaced'])
    await desk.draft('11-20-26-D')
    const unsaved = { edition: '11-20-26-C', memos: [{ title: 'Being written' }] }
    const body = { date: '11-20-26', unsaved }
    const { text, url, subject } = (await desk.call('POST', '/preview/digest', { body })).json().data
    const places = ['Published', 'Stored draft', 'Being written'].map((title) => text.indexOf(title))
    expect(places).toEqual([...places].sort((one, other) => one - other))
    expect(places).not.toContain(-1)
    expect(text).not.toContain('Replaced')
    expect(subject).toContain('Evening digest')
    expect((await open(delivery, url)).body).toContain('Being written')
  })

  it('is refused for a day without memos, and one that is no day', async ({ delivery: { desk } }) => {
    const refusal = async (date: string) =>
      refusalOf(await desk.call('POST', '/preview/digest', { body: { date } }))
    expect(await refusal('11-21-26')).toMatchObject({ status: 404, code: 'digest-empty' })
    expect(await refusal('13-41-26')).toMatchObject({ status: 400, code: 'invalid-date' })
  })
})
