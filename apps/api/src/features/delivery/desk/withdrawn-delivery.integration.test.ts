import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { createRecipient } from '#test/factories/recipients.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'

const key = '11-20-26-A'
const path = `/editions/${key}`
const states = ['planned', 'sending', 'stopped', 'held'] as const
type State = (typeof states)[number]

const it = deliveryTest().extend('withdrawn', { scope: 'file' }, ({ delivery }) => {
  const { db, site } = delivery

  /** Withdraws an edition with its run in a state, of two members: the first has it, the other waits. */
  return async (state: State | 'done') => {
    const [had] = await Promise.all([createRecipient(site), createRecipient(site)])
    const run = await delivery.publish(key)
    const heldReason = state === 'held' ? 'It missed its time by 40 minutes.' : null
    const startedAt = state === 'planned' ? null : site.clock.now()
    await db.deliveryRun.updateMany({ data: { state, heldReason, startedAt, activeAt: startedAt } })
    const sent = {
      state: 'sent',
      attempts: 1,
      sentAt: site.clock.now(),
      claimedAt: site.clock.now(),
    } as const
    const who = state === 'done' ? {} : { memberId: had?.memberId ?? '' }
    await db.delivery.updateMany({ where: who, data: sent })
    await delivery.withdraw(key)
    return run
  }
})

describe('the delivery of a withdrawn edition', () => {
  it.for(states)(
    'that was %s says so, and is neither stopped, resumed nor sent',
    async (state, { delivery, withdrawn }) => {
      const { desk, site, script } = delivery
      const run = await withdrawn(state)

      const report = (await desk.call('GET', `${path}/delivery-report`)).json().data
      expect(report).toMatchObject({ state: 'withdrawn', withdrawn: true })
      expect(report.heldReason).toContain('withdrawn')
      expect(report.waiting).toMatchObject([{ transport: 'email', reason: 'withdrawn', until: null }])
      const listed = (await desk.call('GET', `${path}/deliveries?state=held`)).json().data
      expect(listed).toMatchObject([{ state: 'held', waiting: { reason: 'withdrawn' } }])
      for (const act of ['stop', 'resume']) {
        const refusal = refusalOf(await desk.call('POST', `${path}/deliveries/${act}`))
        expect(refusal).toMatchObject({ status: 409, code: 'edition-withdrawn' })
        expect(refusal.message).toContain('Publish it again')
      }

      for (let hour = 0; hour < 3; hour += 1) {
        site.clock.pass(3_600_000)
        await delivery.sweep()
        await site.context.sending.send(run?.id ?? 0)
      }
      expect(script.sent).toEqual([])
      expect((await delivery.runOf(key))?.state).toBe(state === 'sending' ? 'held' : state)
    },
  )

  it('waits without being late, and is sent once it is published again', async ({ delivery, withdrawn }) => {
    const { site, script } = delivery
    const run = await withdrawn('planned')
    site.clock.pass(5 * 3_600_000)
    await delivery.sweep()
    await delivery.publishDraft(key)
    await delivery.send(run)
    expect(script.sent).toHaveLength(1)
  })

  it('that members have is done, and its report says that it is withdrawn', async ({
    delivery,
    withdrawn,
  }) => {
    await withdrawn('done')
    const report = (await delivery.desk.call('GET', `${path}/delivery-report`)).json().data
    expect(report).toMatchObject({ state: 'done', withdrawn: true, waiting: [] })
  })

  it('is not sent again by resolving, by an editor or by itself', async ({ delivery, withdrawn }) => {
    const { desk, db, site } = delivery
    const run = await withdrawn('done')
    const delivered = await db.delivery.findFirstOrThrow()
    await db.delivery.update({ where: { id: delivered.id }, data: { state: 'unconfirmed', reason: 'lost' } })
    const resolve = (as: string) => desk.call('POST', `/deliveries/${delivered.id}/resolve`, { body: { as } })

    expect(refusalOf(await resolve('send-again'))).toMatchObject({ status: 409, code: 'edition-withdrawn' })
    expect((await delivery.runOf(key))?.state).toBe('done')
    expect((await resolve('sent')).json().data.state).toBe('sent')
    await site.context.sending.send(run?.id ?? 0)
    expect(delivery.script.sent).toEqual([])
  })
})

describe('a digest of a day with nothing published', () => {
  it('says so, and is not resumed', async ({ delivery }) => {
    const { site, desk } = delivery
    await createRecipient(site, { customFields: { combinestatus: true } })
    await delivery.publish(key)
    await site.context.deliveryOperations.planDigest({ year: 2026, month: 11, day: 20 })
    await desk.call('POST', '/digests/11-20-26/deliveries/stop')
    await delivery.withdraw(key)

    const refusal = refusalOf(await desk.call('POST', '/digests/11-20-26/deliveries/resume'))
    expect(refusal).toMatchObject({ status: 409, code: 'edition-withdrawn' })
    const report = (await desk.call('GET', '/digests/11-20-26/delivery-report')).json().data
    expect(report).toMatchObject({ state: 'withdrawn', withdrawn: true, waiting: [{ reason: 'withdrawn' }] })
  })
})
