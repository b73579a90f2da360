import { describe, expect } from 'vitest'
import { deliveryTest } from '#test/delivery-site.ts'
import { createRecipient } from '#test/factories/recipients.ts'

const it = deliveryTest()

it.beforeEach(({ delivery }) => delivery.resetClock())

describe('an edition', () => {
  it('is planned when it is published and sent once, after the delay', async ({ delivery }) => {
    const { email, memberId } = await createRecipient(delivery.site)

    const run = await delivery.publish('11-20-26-A', ['Ships return'])
    await delivery.site.context.sending.send(run?.id ?? 0)
    expect(await delivery.mails(email, 'Ships return')).toHaveLength(0)
    expect(await delivery.deliveryOf(run, memberId)).toMatchObject({ state: 'planned', recipient: email })

    await delivery.send(run)
    await delivery.send(run)

    expect(await delivery.mails(email, 'Ships return')).toHaveLength(1)
    expect(await delivery.deliveryOf(run, memberId)).toMatchObject({
      state: 'sent',
      attempts: 1,
      editionVersion: 3,
      sentAt: new Date('2026-11-20T17:01:00.000Z'),
    })
    expect(await delivery.runOf('11-20-26-A')).toMatchObject({ state: 'done' })
  })
})
