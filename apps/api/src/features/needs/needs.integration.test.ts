import { type DeskNeeds, deskNeeds } from '@tidings/contracts/desk/needs/needs'
import { dataOf } from '@tidings/contracts/envelope'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { createRecipient } from '#test/factories/recipients.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'

const it = deliveryTest()
  .extend('desk', { scope: 'file' }, ({ delivery }) => delivery.desk)
  .extend('db', { scope: 'file' }, ({ delivery }) => delivery.db)
  .extend('read', { scope: 'file' }, ({ desk }) => async (): Promise<DeskNeeds> => {
    return dataOf(deskNeeds.strict()).parse((await desk.call('GET', '/needs')).json()).data
  })

describe('GET /desk/v1/needs', () => {
  it('has the sends with refused deliveries, with the most frequent reply, for two days', async ({
    delivery,
    db,
    read,
  }) => {
    const { publish, send, site } = delivery
    const { memberId } = await createRecipient(site)
    await send(await publish('11-20-26-A'))
    await db.delivery.updateMany({ where: { memberId }, data: { state: 'failed', reason: '554 Too large' } })
    const mine = async () => (await read()).failedSends.filter(({ edition }) => edition === '11-20-26-A')

    expect(await mine()).toEqual([
      { edition: '11-20-26-A', digest: null, isHeld: false, failed: 1, reason: '554 Too large' },
    ])
    site.clock.pass(3 * 86_400_000)
    expect(await mine()).toEqual([])
  })

  it('has the memos that a publication left out, until they are public or deleted', async ({
    delivery,
    desk,
    read,
  }) => {
    const { site } = delivery
    const key = '11-24-26-B'
    await desk.draft(key)
    const { id: memo } = await desk.addMemo(key, { title: 'No text yet', memo_content: '' })
    await desk.addMemo(key, { title: 'Done' })
    await desk.call('PUT', `/editions/${key}`, { body: { status: 'scheduled' }, ifMatch: '"3"' })
    site.clock.moveTo(new Date((await desk.read(key)).publishAt))
    await site.context.publishing.sweep()
    await desk.addMemo(key, { title: 'Added later', private: true })

    expect((await read()).leftOut).toEqual([{ edition: key, memo, title: 'No text yet' }])
    const { version } = (await desk.call('GET', `/memos/${memo}/working-copy`)).json().data
    await desk.call('DELETE', `/memos/${memo}/working-copy`, { ifMatch: `"${version}"` })
    expect((await read()).leftOut).toEqual([])
  })

  it('has the links of today and tomorrow that led nowhere when they were asked', async ({
    delivery,
    desk,
    db,
    read,
  }) => {
    const now = delivery.site.clock.now()
    const day = now.toISOString().slice(0, 10).split('-')
    const key = `${day[1]}-${day[2]}-${day[0]?.slice(2)}-Q`
    await desk.draft(key)
    const dead = 'https://gone.example/a?b=1&c=2'
    const { id: memo } = await desk.addMemo(key, {
      title: 'With links',
      memo_content:
        '<p><a href="https://gone.example/a?b=1&amp;c=2">a</a> <a href="https://fine.example/">b</a></p>',
      source: 'https://never-asked.example/',
    })
    const { linkChecks } = delivery.site.context
    await linkChecks.read([dead, 'https://fine.example/'])
    const asked = (url: string, outcome: string, status: number) =>
      db.linkCheck.updateMany({ where: { url }, data: { outcome, status, checkedAt: now } })
    await asked(dead, 'fails', 404)
    await asked('https://fine.example/', 'answers', 200)

    expect((await read()).deadLinks).toEqual([
      {
        edition: key,
        memo,
        title: 'With links',
        url: dead,
        state: 'fails',
        status: 404,
        checkedAt: now.toISOString(),
      },
    ])
  })

  it('counts the emails that were returned and the addresses that were suppressed, for seven days', async ({
    delivery,
    db,
    read,
  }) => {
    const before = (await read()).bounces
    const now = delivery.site.clock.now()
    const longAgo = new Date(now.getTime() - 8 * 86_400_000)
    for (const [index, at] of [now, longAgo].entries()) {
      await db.deliverability.create({ data: { at, domain: `d${index}.example`, backend: 0, bounced: 3 } })
      await db.suppression.create({
        data: { address: `x${index}@d.example`, kind: 'bounce', suppressedAt: at },
      })
    }

    expect((await read()).bounces).toEqual({
      emails: before.emails + 3,
      suppressed: before.suppressed + 1,
    })
  })

  it('takes no query', async ({ desk }) => {
    expect(refusalOf(await desk.call('GET', '/needs?day=x'))).toMatchObject({ status: 400 })
  })
})
