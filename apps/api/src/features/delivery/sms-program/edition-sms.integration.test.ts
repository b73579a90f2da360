import { afterAll, describe, expect } from 'vitest'
import { draftEdition } from '#test/factories/editions.ts'
import { createRecipient, createSmsRecipient } from '#test/factories/recipients.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { startPhones } from '#test/sms/phones.ts'

const phones = await startPhones()
afterAll(() => phones.stop())

const key = '11-20-26-A'
const it = deliveryTest({ env: { ...phones.env, SMS_SEGMENTS: '3', SMS_PRICE: '0.01 EUR' } })
it.beforeEach(() => phones.setFaults({}))

describe('the desk', () => {
  it('shows the text and its price before sending, and what was spent afterwards', async ({ delivery }) => {
    const { site, desk } = delivery
    for (let each = 0; each < 3; each += 1) await createSmsRecipient(site)
    await draftEdition(site.context, key, ['Ships', 'Rain'])
    const preview = (await desk.call('GET', `/editions/${key}/preview/memo-sms`)).json().data
    const cost = { texts: 3, segments: 3, amount: 0.03, currency: 'EUR' }
    expect(preview).toMatchObject({ html: '', texts: cost })
    expect(preview.text).toContain('Tidings, Fri Nov 20, A: Ships; Rain\nhttp://localhost:3000/l/')

    await delivery.sendSms(await delivery.publishDraft(key))

    const report = (await desk.call('GET', `/editions/${key}/delivery-report`)).json().data
    expect(report.texts).toEqual(cost)
  })

  it('texts a draft to one number as a test', async ({ delivery }) => {
    const { site, desk } = delivery
    await draftEdition(site.context, key, ['Ships'])
    const to = '+12025558888'
    const testSend = (method: string, number: string) =>
      desk.call('POST', `/editions/${key}/test-send`, { body: { method, to: number } })
    for (const method of ['memo-sms', 'pdf-sms']) {
      expect((await testSend(method, to)).json().data).toEqual({ outcome: 'accepted', response: '' })
      expect((await testSend(method, 'desk@example.com')).statusCode).toBe(400)
    }
    expect(await phones.textsTo(to)).toEqual([
      expect.stringContaining('A (PDF): Ships'),
      expect.stringContaining('A: Ships'),
    ])
    for (const method of ['memo-email', 'pdf-email']) {
      expect((await testSend(method, to)).statusCode).toBe(400)
    }
  })
})

describe('an edition by text', () => {
  it('reaches members with a verified number, with a link that opens it without a gate pass', async ({
    delivery,
  }) => {
    const { site, db, stateOf } = delivery
    const ann = await createSmsRecipient(site)
    const sharer = await createSmsRecipient(site, { number: ann.number })
    const changed = await createSmsRecipient(site)
    await db.member.update({
      where: { id: changed.memberId },
      data: { customFields: { getmemomethodbysms: true, phone: '+12025559999' } },
    })
    const withoutNumber = await createRecipient(site, { customFields: { getmemomethodbysms: true } })
    const run = await delivery.publish(key, ['Ships “return”'])

    await delivery.sendSms(run)

    expect(await stateOf(run, ann.memberId)).toBe('sent')
    expect(await stateOf(run, sharer.memberId)).toBe('sent')
    expect(await stateOf(run, changed.memberId)).toBe('suppressed unverified')
    expect(await stateOf(run, withoutNumber.memberId)).toBe('suppressed unverified')
    const [first = '', second = ''] = await phones.textsTo(ann.number)
    expect(first).toMatch(
      /^Tidings, Fri Nov 20, A: Ships "return"\nhttp:\/\/localhost:3000\/l\/[\w-]{37}\nReply/,
    )
    expect(first).not.toBe(second)
    const url = new URL(first.split('\n')[1] ?? '')
    const page = await site.app.inject({ url: url.pathname })
    expect([page.statusCode, page.body.includes('Ships “return”')]).toEqual([200, true])
    expect(page.body).toContain('You’re receiving this text because you chose memos by text at Tidings.')
    expect(await delivery.runOf(key)).toMatchObject({ state: 'done' })
  })

  it('waits for the end of the quiet hours of each member', async ({ delivery }) => {
    const { site, db, stateOf } = delivery
    const here = await createSmsRecipient(site)
    const tokyo = await createSmsRecipient(site, { timeZone: 'Asia/Tokyo' })
    const run = await delivery.publish(key)

    await delivery.sendSms(run)

    expect(await stateOf(run, here.memberId)).toBe('sent')
    const waiting = await db.delivery.findFirst({ where: { memberId: tokyo.memberId } })
    expect(waiting).toMatchObject({ state: 'planned', nextAttemptAt: new Date('2026-11-20T23:00:00.000Z') })
    site.clock.moveTo(new Date('2026-11-20T23:00:00.000Z'))
    await delivery.sendSms(run)
    expect(await stateOf(run, tokyo.memberId)).toBe('sent')
  })

  it('is tried again after quiet hours of more than six hours', async ({ delivery }) => {
    const { site, stateOf } = delivery
    const { memberId } = await createSmsRecipient(site, { timeZone: 'Asia/Kolkata' })
    const run = await delivery.publish(key)
    await delivery.sendSms(run)
    site.clock.moveTo(new Date('2026-11-21T02:30:00.000Z'))
    await phones.setFaults({ rateLimitEvery: 1 })
    await delivery.sendSms(run)
    expect(await stateOf(run, memberId)).toMatch(/^planned 20429/)

    await phones.setFaults({})
    await delivery.sendSms(run)
    expect(await stateOf(run, memberId)).toBe('sent')
  })

  it('is not delayed by the mail server, and does not delay emails', async ({ delivery }) => {
    const { site, script, send, stateOf } = delivery
    const texted = await createSmsRecipient(site)
    const emailed = await createRecipient(site)
    const run = await delivery.publish(key)
    await phones.setFaults({ rateLimitEvery: 1 })
    await delivery.sendSms(run)
    expect(await stateOf(run, texted.memberId)).toMatch(/^planned 20429/)

    await send(run)

    expect(script.sent.map(({ to }) => to)).toEqual([emailed.email])
    expect(await delivery.runOf(key)).toMatchObject({ state: 'sending' })
    await phones.setFaults({})
    await delivery.sendSms(run)
    expect(await stateOf(run, texted.memberId)).toBe('sent')
    expect(await delivery.runOf(key)).toMatchObject({ state: 'done' })
  })

  it('may have been accepted when Twilio fails, and is not sent again by itself', async ({ delivery }) => {
    const { site, stateOf } = delivery
    const { memberId, number } = await createSmsRecipient(site)
    const run = await delivery.publish(key)
    await phones.setFaults({ failAcceptedEvery: 1 })
    await delivery.sendSms(run)
    expect(await stateOf(run, memberId)).toMatch(/^unconfirmed 20500/)

    await phones.setFaults({})
    await delivery.sweep()
    await delivery.sendSms(run)

    expect(await phones.textsTo(number)).toHaveLength(1)
  })

  it.for([
    ['a dead number', { landline: true }, 'bounce'],
    ['a number that replied STOP', { landline: false }, 'complaint'],
  ] as const)(
    '%s gets no more texts until it is verified again',
    async ([_what, { landline }, kind], { delivery }) => {
      const { site, db, stateOf } = delivery
      const { memberId, number } = await createSmsRecipient(site)
      if (landline) await phones.setFaults({ landline: [number] })
      else await phones.reply(number, 'STOP')
      const run = await delivery.publish(key)
      await delivery.sendSms(run)
      expect(await stateOf(run, memberId)).toMatch(/^failed 216/)
      const next = await delivery.publish('11-20-26-B')
      expect(await stateOf(next, memberId)).toBe(`suppressed ${kind}`)

      await db.member.delete({ where: { id: memberId } })
      expect(await db.suppression.count({ where: { address: number } })).toBe(0)
    },
  )
})
