import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { draftEdition } from '#test/factories/editions.ts'
import { createRecipient } from '#test/factories/recipients.ts'
import { readPdf } from '#test/pdf/read-pdf.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { waitOptions } from '#test/wait-options.ts'

const it = deliveryTest()
const key = '11-20-26-A'

describe('the deliveries of an edition', () => {
  it('are listed in pages and by state, and reported as JSON and CSV', async ({ delivery }) => {
    const { site, desk, script, send } = delivery
    const members = await Promise.all(Array.from({ length: 3 }, () => createRecipient(site)))
    await createRecipient(site, { verified: false })
    const run = await delivery.publish(key)
    script.answer = async ({ to }) =>
      to === members[0]?.email
        ? { outcome: 'permanent', code: '550', response: 'no, such "user"' }
        : { outcome: 'accepted' }
    await send(run)

    const first = (await desk.call('GET', `/editions/${key}/deliveries?limit=3`)).json()
    const second = (await desk.call('GET', `/editions/${key}/deliveries?limit=3&after=${first.next}`)).json()
    expect([first.data.length, second.data.length, second.next]).toEqual([3, 1, null])
    const failed = await desk.call('GET', `/editions/${key}/deliveries?state=failed&method=memo-email`)
    expect(failed.json().data).toMatchObject([
      { edition: key, member: members[0]?.memberId, recipient: 'r•••@example.com', attempts: 1 },
    ])

    const report = (await desk.call('GET', `/editions/${key}/delivery-report`)).json().data
    expect(report).toMatchObject({
      state: 'done',
      sendAfter: '2026-11-20T17:01:00.000Z',
      firstSentAt: '2026-11-20T17:01:00.000Z',
      slowest: [
        { seconds: 0, attempts: 1 },
        { seconds: 0, attempts: 1 },
      ],
    })
    const csv = await desk.call('GET', `/editions/${key}/delivery-report?format=csv`)
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(csv.body.split('\r\n')).toEqual([
      'method,state,reason,count',
      'memo-email,failed,"550 no, such ""user""",1',
      'memo-email,sent,,2',
      'memo-email,suppressed,unverified,1',
      '',
    ])
  })

  it('are reported as being planned during their publication', async ({ delivery }) => {
    const { site, desk } = delivery
    await createRecipient(site)
    await draftEdition(site.context, key, ['First'])
    const stateNow = async () =>
      (await desk.call('GET', `/editions/${key}/delivery-report`)).json().data.state
    expect(await stateNow()).toBe('none')

    const blocker = await site.context.database.pool.connect()
    await blocker.query('BEGIN; LOCK TABLE delivery IN EXCLUSIVE MODE')
    const publication = delivery.publishDraft(key)
    try {
      await expect.poll(stateNow, waitOptions).toBe('planning')
    } finally {
      await blocker.query('ROLLBACK')
      blocker.release()
      await publication
    }

    expect(await stateNow()).toBe('planned')
  })

  it('are stopped and resumed, with entries in the audit log', async ({ delivery }) => {
    const { site, desk, script, send } = delivery
    for (let each = 0; each < 5; each += 1) await createRecipient(site)
    const run = await delivery.publish(key)
    let stop: Promise<unknown> | undefined
    script.answer = async () => {
      stop ??= desk.call('POST', `/editions/${key}/deliveries/stop`)
      await stop
      return { outcome: 'accepted' }
    }

    await send(run)
    const before = script.sent.length
    expect(before).toBeLessThanOrEqual(2)
    const held = await desk.call('GET', `/editions/${key}/deliveries?state=held`)
    expect(held.json().data).toHaveLength(5 - before)
    const again = refusalOf(await desk.call('POST', `/editions/${key}/deliveries/stop`))
    expect([again.status, again.code]).toEqual([409, 'delivery-not-stoppable'])
    expect(again.message).toContain('stopped already. Resume it')

    const resumed = await desk.call('POST', `/editions/${key}/deliveries/resume`)
    expect(resumed.json().data.state).toBe('sending')
    const twice = refusalOf(await desk.call('POST', `/editions/${key}/deliveries/resume`))
    expect(twice).toMatchObject({ status: 409, code: 'delivery-not-resumable' })
    expect(twice.message).toContain('it is being sent')
    await site.context.sending.send(run?.id ?? 0)
    expect(new Set(script.sent.map(({ to }) => to)).size).toBe(5)
    const actions = (await desk.auditOf(key)).map(({ action }) => action)
    expect(actions.slice(-2)).toEqual(['delivery.stop', 'delivery.resume'])
  })

  it('are returned as PDF, as a phone or A4, drafts too', async ({ delivery }) => {
    const { site, desk } = delivery
    await draftEdition(site.context, '11-20-26-P', ['Ships', 'Trains'])
    for (const [query, width] of [
      ['', 316],
      ['?format=a4', 595],
    ] as const) {
      const reply = await desk.call('GET', `/editions/11-20-26-P/pdf${query}`)
      expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/pdf'])
      const { bookmarks, pages } = await readPdf(reply.rawPayload)
      expect([bookmarks, Math.round(pages[0]?.width ?? 0)]).toEqual([['Ships', 'Trains'], width])
    }
    await delivery.publishDraft('11-20-26-P')
    const digest = await desk.call('GET', '/digests/11-20-26/pdf')
    expect((await readPdf(digest.rawPayload)).title).toBe('Evening digest, Friday, November 20 · Tidings')
  })

  it('can be previewed before publishing and sent to one address as a test', async ({ delivery }) => {
    const { site, desk, script } = delivery
    await draftEdition(site.context, key, ['Ships <return>'])

    const preview = await desk.call('GET', `/editions/${key}/preview/memo-email`)
    expect(preview.json().data.text).toContain('Ships <return>')
    expect(preview.json().data.html).toContain('Ships &lt;return&gt;')
    const testSend = (to: string) =>
      desk.call('POST', `/editions/${key}/test-send`, { body: { method: 'memo-email', to } })
    expect((await testSend('desk@example.com')).json().data).toEqual({ outcome: 'accepted', response: '' })
    expect((await testSend('a@example.com\r\nBcc: b@example.com')).statusCode).toBe(400)
    expect(script.sent.map(({ to }) => to)).toEqual(['desk@example.com'])
    expect(await delivery.db.delivery.count()).toBe(0)
    script.answer = async () => ({ outcome: 'permanent', code: '550', response: '550 5.1.1 no mailbox' })
    expect((await testSend('nobody@example.com')).json().data).toEqual({
      outcome: 'permanent',
      response: '550 5.1.1 no mailbox',
    })
  })

  it('can be previewed and sent as a test with their PDF, but a digest cannot', async ({ delivery }) => {
    const { site, desk, script } = delivery
    await draftEdition(site.context, key, ['Ships'])
    const preview = await desk.call('GET', `/editions/${key}/preview/pdf-email`)
    expect(preview.json().data.text).toContain('This edition is attached as a PDF.')
    const body = { method: 'pdf-email', to: 'desk@example.com' }
    const sent = await desk.call('POST', `/editions/${key}/test-send`, { body })
    expect(sent.json().data).toEqual({ outcome: 'accepted', response: '' })
    const attachment = script.sent[0]?.attachment
    expect([attachment?.name, attachment?.type]).toEqual([`${key}.pdf`, 'application/pdf'])
    expect((await readPdf(attachment?.bytes ?? Buffer.alloc(0))).bookmarks).toEqual(['Ships'])
    const refusal = refusalOf(await desk.call('GET', '/digests/11-20-26/preview/pdf-email'))
    expect([refusal.status, refusal.code]).toEqual([400, 'invalid-request'])
  })

  it('of a digest are stopped, resumed, previewed, tested and resolved in the same way', async ({
    delivery,
  }) => {
    const { site, desk, script, send } = delivery
    const call = async (method: 'GET' | 'POST', path: string, body?: object) =>
      (await desk.call(method, path, body === undefined ? {} : { body })).json().data
    for (let each = 0; each < 2; each += 1) {
      await createRecipient(site, { customFields: { combinestatus: true } })
    }
    await delivery.publish(key, ['Morning ships'])
    await site.context.deliveryOperations.planDigest({ year: 2026, month: 11, day: 20 })
    const digest = await delivery.findDigest('2026-11-20')
    const day = '/digests/11-20-26'

    expect((await call('POST', `${day}/deliveries/stop`)).state).toBe('stopped')
    await send(digest)
    expect(script.sent).toEqual([])
    expect((await call('GET', `${day}/preview/digest`)).text).toContain('Morning ships')
    const test = await call('POST', `${day}/test-send`, { method: 'digest', to: 'desk@example.com' })
    expect(test).toEqual({ outcome: 'accepted', response: '' })
    expect(script.sent.map(({ to, subject }) => [to, subject])).toEqual([
      ['desk@example.com', '[Test] Evening digest, Friday, November 20'],
    ])

    expect((await call('POST', `${day}/deliveries/resume`)).state).toBe('planned')
    script.answer = async () => ({ outcome: 'unknown', code: 'ECONNECTION', response: 'no reply' })
    await send(digest)
    const [first, second] = await call('GET', '/deliveries?state=unconfirmed')
    expect([first, second]).toMatchObject([{ digest: '11-20-26' }, { digest: '11-20-26' }])
    script.answer = async () => ({ outcome: 'accepted' })
    expect(await call('POST', `/deliveries/${first.id}/resolve`, { as: 'sent' })).toMatchObject({
      state: 'sent',
    })
    expect(await call('POST', `/deliveries/${second.id}/resolve`, { as: 'send-again' })).toMatchObject({
      state: 'planned',
      reason: 'send-again',
    })
    await send(digest)
    expect(script.sent.slice(1).map(({ messageId }) => messageId)).toEqual([second.messageId])
    expect((await call('GET', `${day}/delivery-report`)).state).toBe('done')
  })

  it.for([
    ['POST', `/editions/${key}/deliveries/stop`, undefined],
    ['POST', `/editions/${key}/deliveries/resume`, undefined],
    ['POST', `/editions/${key}/test-send`, { method: 'memo-email', to: 'a@example.com' }],
    ['POST', '/digests/11-20-26/deliveries/stop', undefined],
    ['POST', '/deliveries/01900000-0000-7000-8000-000000000000/resolve', { as: 'sent' }],
  ] as const)('need the scope publish for %s %s', async ([method, path, body], { delivery: { desk } }) => {
    const { as } = await desk.keyWith('read', 'write')
    const reply = await desk.call(method, path, { as, ...(body !== undefined && { body }) })
    expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'scope-missing' })
  })

  it.for([
    `/editions/${key}/deliveries`,
    `/editions/${key}/delivery-report`,
    `/editions/${key}/preview/memo-email`,
    `/editions/${key}/pdf`,
    '/digests/11-20-26/deliveries',
    '/digests/11-20-26/delivery-report',
    '/digests/11-20-26/preview/digest',
    '/digests/11-20-26/pdf',
    '/deliveries?state=unconfirmed',
  ])('need the scope read for GET %s', async (path, { delivery: { desk } }) => {
    const { as } = await desk.keyWith('publish', 'write')
    expect(refusalOf(await desk.call('GET', path, { as }))).toMatchObject({
      status: 403,
      code: 'scope-missing',
    })
  })

  it.for([
    ['GET', '/editions/11-20-26-Q/deliveries', 404, 'edition-not-found'],
    ['GET', '/editions/nonsense/delivery-report', 400, 'invalid-edition-key'],
    ['GET', '/digests/13-20-26/deliveries', 400, 'invalid-date'],
    ['POST', '/digests/11-20-26/deliveries/stop', 404, 'delivery-not-found'],
    ['GET', '/digests/11-20-26/preview/memo-email', 400, 'invalid-request'],
    ['GET', '/digests/11-20-26/preview/digest', 404, 'edition-not-found'],
    ['GET', '/editions/11-20-26-Q/pdf', 404, 'edition-not-found'],
    ['GET', '/digests/11-20-25/pdf', 404, 'edition-not-found'],
    ['GET', '/editions/11-20-26-Q/pdf?format=letter', 400, 'invalid-request'],
    ['GET', '/editions/11-20-26-Q/pdf?size=1', 400, 'invalid-request'],
    ['GET', '/deliveries', 400, 'invalid-request'],
  ] as const)('%s %s returns %i %s', async ([method, path, status, code], { delivery: { desk } }) => {
    expect(refusalOf(await desk.call(method, path))).toMatchObject({ status, code })
  })
})
