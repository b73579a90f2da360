import { builtInAccount } from '@tidings/emulators/twilio/accounts'
import { describe, expect } from 'vitest'
import type { SmsResult, SmsSender } from '#integrations/sms/sms-sender.ts'
import { createSmsRecipient } from '#test/factories/recipients.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { waitOptions } from '#test/wait-options.ts'

const key = '11-20-26-A'
const accepted: SmsResult = { outcome: 'accepted', id: 'SM1' }
const lost: SmsResult = { outcome: 'unknown', code: '20500', response: 'Internal server error' }

const script = { send: async (): Promise<SmsResult> => accepted, lookUp: async () => {} }
const smsSender: SmsSender = {
  concurrency: 1,
  send: () => script.send(),
  async listTo() {
    await script.lookUp()
    return []
  },
}
const { sid, authToken, number } = builtInAccount
const env = {
  TWILIO_ACCOUNT_SID: sid,
  TWILIO_AUTH_TOKEN: authToken,
  TWILIO_FROM: number,
  TWILIO_LOOKUP_SECONDS: '3600',
}
const it = deliveryTest({ env, overrides: { smsSender } })
it.beforeEach(() => {
  script.send = async () => accepted
  script.lookUp = async () => {}
})

describe('a run of texts', () => {
  it('waits when the quiet hours begin while it is sent', async ({ delivery }) => {
    const { site, db } = delivery
    for (let each = 0; each < 2; each += 1) await createSmsRecipient(site)
    site.clock.moveTo(new Date('2026-11-21T04:58:00.000Z'))
    const run = await delivery.publish(key)
    script.send = async () => {
      site.clock.pass(60_000)
      return accepted
    }

    await delivery.sendSms(run)

    const rows = await db.delivery.findMany({ where: { runId: run?.id ?? 0 }, orderBy: { id: 'asc' } })
    expect(rows).toMatchObject([
      { state: 'sent' },
      { state: 'planned', nextAttemptAt: new Date('2026-11-21T16:00:00.000Z') },
    ])
  })

  it('stops after five texts without a clear reply, and continues later', async ({ delivery }) => {
    const { site, db } = delivery
    for (let each = 0; each < 7; each += 1) await createSmsRecipient(site)
    const run = await delivery.publish(key)
    const countOf = (state: 'unconfirmed' | 'sent') => db.delivery.count({ where: { state } })
    script.send = async () => lost
    await delivery.sendSms(run)
    expect(await countOf('unconfirmed')).toBe(5)

    script.send = async () => accepted
    await delivery.sendSms(run)

    expect([await countOf('unconfirmed'), await countOf('sent')]).toEqual([5, 2])
  })
})

describe('the sweep', () => {
  it('holds a late run although Twilio does not reply to lookups', async ({ delivery }) => {
    const { site } = delivery
    await createSmsRecipient(site)
    const run = await delivery.publish(key)
    script.send = async () => lost
    await delivery.sendSms(run)
    await delivery.publish('11-20-26-B')
    site.clock.pass(40 * 60_000)
    const { promise, resolve } = Promise.withResolvers<void>()
    script.lookUp = () => promise

    const sweep = delivery.sweep()

    const stateOfLate = async () => (await delivery.runOf('11-20-26-B'))?.state
    await expect.poll(stateOfLate, waitOptions).toBe('held')
    resolve()
    await sweep
  })
})
