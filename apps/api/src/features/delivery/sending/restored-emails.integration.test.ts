import { describe, expect } from 'vitest'
import { createRecipient } from '#test/factories/recipients.ts'
import { combinedEmailTest, memosAndPdfs } from '#test/sites/combined-email.ts'
import { forgetSending } from '#test/sites/guarded-site.ts'

const key = '11-20-26-A'
const memosOnly = { getmemomethodbyemail: true }
const it = combinedEmailTest()
it.beforeEach(({ delivery }) => forgetSending(delivery))

describe('emails with memos and a PDF after a restore', () => {
  it('are still one message for both when the table of deliveries was restored', async ({
    delivery,
    statesOf,
    idsOf,
  }) => {
    const { context } = delivery.site
    const { memberId } = await createRecipient(delivery.site, { customFields: memosAndPdfs })
    const run = await delivery.publish(key)
    await context.database.pool.query('CREATE TABLE kept AS TABLE delivery')
    await delivery.send(run)
    await context.database.pool.query(
      "TRUNCATE delivery; INSERT INTO delivery SELECT * FROM kept; DROP TABLE kept; UPDATE delivery_run SET state = 'sending'",
    )
    expect(await context.sendingGuard.check()).toBe('ledger-behind')
    await context.deliveryOperations.confirmInstance()
    await delivery.send(run)

    expect(delivery.script.sent).toHaveLength(1)
    expect(await statesOf(memberId)).toEqual(['sent sent-before-restore', 'sent sent-before-restore'])
    const { memos, sentWith } = await idsOf(memberId)
    expect(sentWith).toBe(memos)
  })

  it.for([
    ['the PDF', memosOnly, ' (PDF)', undefined],
    ['memos', { getPDFMethodByEmail: true }, '', 0],
  ] as const)(
    'carry %s alone if the rest was sent before, and hold nothing',
    async ([, before, ending, attachments], { delivery, choose, statesOf }) => {
      const { site, script, desk } = delivery
      const { context } = site
      const { memberId } = await createRecipient(site, { customFields: before })
      await delivery.send(await delivery.publish(key, ['Ships']))
      expect(script.sent).toHaveLength(1)
      // The dump is from before the publication.
      await context.database.pool.query(
        'DELETE FROM delivery; DELETE FROM delivery_run; UPDATE sending_mark SET counter = 0',
      )
      await context.sendingGuard.check()
      await context.deliveryOperations.confirmInstance()
      await choose(memberId, memosAndPdfs)
      script.sent.length = 0
      await desk.call('POST', `/editions/${key}/publish`, { body: { deliver: true } })
      const run = await delivery.runOf(key)
      await delivery.send(run)
      await delivery.send(run)

      expect(script.sent).toHaveLength(1)
      expect(script.sent[0]?.subject).toBe(`A: Ships${ending}`)
      expect([script.sent[0]?.attachment].filter(Boolean)).toHaveLength(attachments ?? 1)
      expect((await statesOf(memberId)).sort()).toEqual(['sent', 'sent sent-before-restore'])
      expect(await context.sendingGuard.check()).toBeNull()
      expect(await delivery.runOf(key)).toMatchObject({ state: 'done' })
    },
  )
})
