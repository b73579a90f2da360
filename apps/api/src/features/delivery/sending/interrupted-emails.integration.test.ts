import { rm, writeFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { createRecipient } from '#test/factories/recipients.ts'
import { combinedEmailTest, memosAndPdfs } from '#test/sites/combined-email.ts'

const key = '11-20-26-A'
const failed = 'failed render The PDF could not be rendered.'
const it = combinedEmailTest()

describe('an interrupted message with both', () => {
  const interrupted = ['unconfirmed ETIMEDOUT no reply', 'unconfirmed ETIMEDOUT no reply']
  const unknown = async () => ({ outcome: 'unknown', code: 'ETIMEDOUT', response: 'no reply' }) as const

  it.for([
    ['memos', 'sent', 0, ['sent confirmed', 'sent confirmed']],
    ['pdf', 'sent', 0, ['sent confirmed', 'sent confirmed']],
    ['memos', 'send-again', 1, ['sent', 'sent']],
    ['pdf', 'send-again', 1, ['sent', 'sent']],
  ] as const)(
    'is resolved by its %s as %s, for both',
    async ([named, as, sent, states], { delivery, statesOf, idsOf }) => {
      const { site, desk, script } = delivery
      const { memberId } = await createRecipient(site, { customFields: memosAndPdfs })
      const run = await delivery.publish(key)
      script.answer = unknown
      await delivery.send(run)
      expect(await statesOf(memberId)).toEqual(interrupted)
      const ids = await idsOf(memberId)
      const resolve = async (id: string) =>
        (await desk.call('POST', `/deliveries/${id}/resolve`, { body: { as } })).statusCode
      expect((await desk.call('GET', '/deliveries?state=unconfirmed')).json().data).toHaveLength(2)

      expect([await resolve(ids[named]), await resolve(ids.memos), await resolve(ids.pdf)]).toEqual([
        200, 409, 409,
      ])

      script.answer = async () => ({ outcome: 'accepted' })
      await delivery.send(run)
      expect(script.sent).toHaveLength(sent)
      for (const each of script.sent) expect(each.messageId).toBe(`delivery-${ids.memos}`)
      expect(await statesOf(memberId)).toEqual(states)
      expect(await delivery.runOf(key)).toMatchObject({ state: 'done' })
    },
  )

  it('is resolved by the setting after its hours, as one', async ({ delivery, statesOf }) => {
    const { site, script } = delivery
    const { memberId } = await createRecipient(site, { customFields: memosAndPdfs })
    const run = await delivery.publish(key)
    script.answer = unknown
    await delivery.send(run)
    script.answer = async () => ({ outcome: 'accepted' })
    site.clock.pass(121 * 60_000)
    await delivery.sweep()
    await delivery.send(run)
    expect(script.sent).toHaveLength(1)
    expect(await statesOf(memberId)).toEqual(['sent', 'sent'])
  })

  it('belongs to a killed worker, whose reply may still come', async ({ delivery, statesOf }) => {
    const { site, db, script } = delivery
    const { memberId } = await createRecipient(site, { customFields: memosAndPdfs })
    const run = await delivery.publish(key)
    const states: string[][] = []
    script.answer = async () => {
      await db.deliverySender.updateMany({ data: { heartbeatAt: new Date(0) } })
      await delivery.sweep()
      states.push(await statesOf(memberId))
      return { outcome: 'accepted' }
    }
    await delivery.send(run)
    const lost = expect.stringMatching(/^unconfirmed The worker \S+ stopped while it handed over the message/)
    expect(states).toEqual([[lost, lost]])
    expect(await statesOf(memberId)).toEqual(['sent', 'sent'])
    expect(script.sent).toHaveLength(1)
  })
})

describe('reports about a message with both', () => {
  it.for([
    ['delivered', ['delivered', 'delivered'], null],
    ['bounced', ['bounced 5.1.1 unknown', 'bounced 5.1.1 unknown'], 1],
  ] as const)(
    '%s reach both rows, and count once',
    async ([type, states, bounces], { delivery, statesOf, idsOf }) => {
      const { site, db } = delivery
      const { email, memberId } = await createRecipient(site, { customFields: memosAndPdfs })
      await delivery.send(await delivery.publish(key))
      const { memos } = await idsOf(memberId)
      const event = {
        type,
        messageId: `<delivery-${memos}@example.com>`,
        reason: type === 'bounced' ? '5.1.1 unknown' : '',
      }
      await site.context.bounces.receiveEvent(`evt_${type}`, event)
      await site.context.bounces.receiveEvent(`evt_${type}_again`, event)
      expect(await statesOf(memberId)).toEqual(states)
      const row = await db.suppression.findUnique({ where: { address: email } })
      expect(row?.bounces ?? null).toBe(bounces)
    },
  )
})

describe('a PDF that fails', () => {
  it('is left out of the email, which doesn’t promise it, and its row says why', async ({
    delivery,
    statesOf,
    idsOf,
    pdfFolder,
  }) => {
    const { site, db, script } = delivery
    const papers = await createRecipient(site, { customFields: memosAndPdfs, pdfFormat: 'a4' })
    const phone = await createRecipient(site, { customFields: memosAndPdfs })
    const only = await createRecipient(site, { customFields: { getPDFMethodByEmail: true } })
    const run = await delivery.publish(key, ['Ships'])
    // A file in the folder's place, so that no PDF can be stored or read.
    await writeFile(pdfFolder, '')

    await delivery.send(run)

    expect(script.sent.map(({ to }) => to).sort()).toEqual([papers.email, phone.email].sort())
    for (const { attachment, text, subject } of script.sent) {
      expect([attachment, subject]).toEqual([undefined, 'A: Ships'])
      expect(text).not.toContain('attached')
      expect(text).toContain('because you chose memos and PDFs by email')
    }
    for (const { memberId } of [papers, phone]) expect(await statesOf(memberId)).toEqual(['sent', failed])
    await rm(pdfFolder)
    await delivery.send(run)
    expect(script.sent.map(({ to }) => to).at(-1)).toBe(only.email)
    expect(script.sent).toHaveLength(3)
    const { memos } = await idsOf(phone.memberId)
    await site.context.bounces.receiveEvent('evt_late', {
      type: 'bounced',
      messageId: `delivery-${memos}`,
      reason: '5.1.1',
    })
    expect(await statesOf(phone.memberId)).toEqual(['bounced 5.1.1', failed])
    expect(await db.delivery.count({ where: { state: 'planned' } })).toBe(0)
  })

  it('is made for the next try of an email that was refused for now', async ({
    delivery,
    statesOf,
    pdfFolder,
  }) => {
    const { site, script } = delivery
    const { memberId } = await createRecipient(site, { customFields: memosAndPdfs })
    const run = await delivery.publish(key)
    await writeFile(pdfFolder, '')
    script.answer = async () => ({ outcome: 'temporary', code: '451', response: 'later' })
    await delivery.send(run)
    expect(await statesOf(memberId)).toEqual(['planned 451 later', failed])
    await rm(pdfFolder)
    script.answer = async () => ({ outcome: 'accepted' })
    site.clock.pass(3_600_000)
    await delivery.send(run)
    expect(script.sent).toHaveLength(1)
    expect(script.sent[0]?.attachment).toBeDefined()
    expect(await statesOf(memberId)).toEqual(['sent', 'sent'])
  })
})
