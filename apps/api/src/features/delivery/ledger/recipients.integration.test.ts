import { describe, expect } from 'vitest'
import { idRowSchema, queryRows } from '#platform/query-rows.ts'
import { addPushDevice, createRecipient } from '#test/factories/recipients.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { planDeliveries } from './recipients.repository.ts'

const it = deliveryTest()

describe('planning', () => {
  it('reaches each member once in several statements, and pages show the states', async ({ delivery }) => {
    const { site, db, desk } = delivery
    const run = await delivery.publish('11-20-26-A')
    const { appId } = site.context.config.site
    const rules = { appId, today: { year: 2026, month: 11, day: 20 }, pushKey: null }
    const made = []
    for (let each = 0; each < 4; each += 1) made.push(await createRecipient(site))
    await createRecipient(site, { verified: false })
    await createRecipient(site, { customFields: { combinestatus: true } })
    await createRecipient(site, { planId: null })

    await planDeliveries(db, run?.id ?? 0, ['memo_email'], rules, site.clock.now(), 2)

    const rows = await db.delivery.findMany({ where: { state: 'planned' }, orderBy: { id: 'asc' } })
    expect(rows.map(({ memberId }) => memberId)).toEqual(made.map(({ memberId }) => memberId).sort())
    const shown = async (query: string) =>
      (await desk.call('GET', `/editions/11-20-26-A/deliveries${query}`)).json().data.length
    expect([await shown(''), await shown('?state=planned'), await shown('?state=held')]).toEqual([5, 4, 0])
    // Runs from before these columns have the ids of their own deliveries there.
    const [first, last] = await queryRows(db, idRowSchema)`
      (SELECT id FROM delivery ORDER BY id LIMIT 1) UNION ALL (SELECT id FROM delivery ORDER BY id DESC LIMIT 1)`
    const data = { firstId: first?.id ?? null, lastId: last?.id ?? null }
    await db.deliveryRun.update({ where: { id: run?.id ?? 0 }, data })
    expect([await shown(''), await shown('?limit=2')]).toEqual([5, 2])
    const suppressed = await desk.call('GET', '/editions/11-20-26-A/deliveries?state=suppressed')
    expect(suppressed.json().data).toMatchObject([{ reason: 'unverified' }])
  })

  it('notifies each member with browsers and a plan once, in several statements', async ({ delivery }) => {
    const { site, db } = delivery
    const run = await delivery.publish('11-20-26-A')
    const { appId } = site.context.config.site
    const rules = { appId, today: { year: 2026, month: 11, day: 20 }, pushKey: null }
    const notified = []
    for (let each = 0; each < 5; each += 1) {
      const { memberId } = await createRecipient(site, { verified: each > 0 })
      notified.push(memberId)
      await addPushDevice(site, memberId)
      const endpoint = `https://push.example.com/${each}`
      await addPushDevice(site, memberId, { endpoint, keys: { p256dh: 'key', auth: 'secret' } })
      await createRecipient(site)
    }
    const withoutPlan = await createRecipient(site, { planId: null })
    await addPushDevice(site, withoutPlan.memberId)

    await planDeliveries(db, run?.id ?? 0, ['memo_email', 'web_push'], rules, site.clock.now(), 3)

    const rows = await db.delivery.findMany({ where: { method: 'web_push' }, orderBy: { id: 'asc' } })
    expect(rows.map(({ memberId }) => memberId)).toEqual(notified.sort())
    expect(rows.map(({ state, recipient }) => [state, recipient])).toEqual(rows.map(() => ['planned', '']))
    expect(await db.delivery.count({ where: { method: 'memo_email' } })).toBe(10)
  })

  it('leaves nothing behind when the edition is deleted', async ({ delivery }) => {
    const { site, db } = delivery
    await createRecipient(site)
    const run = await delivery.publish('11-20-26-A')
    const runId = run?.id ?? 0
    expect(await db.delivery.count({ where: { runId } })).toBe(1)

    await db.memo.deleteMany({ where: { edition: { deliveryRun: { id: runId } } } })
    await db.edition.deleteMany({ where: { deliveryRun: { id: runId } } })

    expect(await db.delivery.count({ where: { runId } })).toBe(0)
  })
})
