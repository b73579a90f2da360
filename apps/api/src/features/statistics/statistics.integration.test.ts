import { statistics } from '@tidings/contracts/desk/statistics'
import { dataOf } from '@tidings/contracts/envelope'
import { describe, expect } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { createBrowser } from '#test/content/likes.ts'
import { refusalOf } from '#test/desk.ts'
import { testPlans } from '#test/factories/plans.ts'
import { createRecipient } from '#test/factories/recipients.ts'
import { createTestMembers } from '#test/membership.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'

const log = createCapturedLog()
const dayMs = 86_400_000

const it = deliveryTest({ overrides: { logger: log.logger } })
  .extend('desk', { scope: 'file' }, ({ delivery }) => delivery.desk)
  .extend('db', { scope: 'file' }, ({ delivery }) => delivery.db)
  .extend('site', { scope: 'file' }, ({ delivery }) => delivery.site)
  .extend('read', { scope: 'file' }, ({ desk }) => async (query = '') => {
    const reply = await desk.call('GET', `/statistics${query}`)
    return dataOf(statistics.strict()).parse(reply.json()).data
  })
  .extend('today', { scope: 'file' }, ({ read }) => async () => {
    const { days } = await read('?days=1')
    const [day] = days
    if (day === undefined) throw new Error('No day')
    return day
  })
  .extend('search', { scope: 'file' }, ({ site }) => async (q: string, cookie?: string) => {
    const url = `/edition/search?q=${encodeURIComponent(q)}`
    const reply = await site.app.inject({ url, headers: { cookie: cookie ?? site.pass } })
    expect(reply.statusCode).toBe(200)
  })

describe('GET /desk/v1/statistics', () => {
  it('counts deliveries by method on the day of their edition', async ({ delivery, site, db, read }) => {
    const { publish, send, script } = delivery
    await createRecipient(site)
    const refused = await createRecipient(site)
    script.answer = async ({ to }) =>
      to === refused.email
        ? { outcome: 'permanent', code: '550', response: '5.1.1 No such mailbox' }
        : { outcome: 'accepted' }
    const run = await publish('11-21-26-A')
    const recipients = await db.delivery.count({ where: { runId: run?.id ?? 0 } })
    await send(run)

    const { days, editions, plans } = await read('?from=2026-11-20&to=2026-11-22')

    expect(days.map(({ day }) => day)).toEqual(['2026-11-20', '2026-11-21', '2026-11-22'])
    expect(days[1]?.delivered).toEqual([{ method: 'memo-email', sent: recipients - 1, failed: 1 }])
    expect(days[2]?.delivered).toEqual([])
    expect(editions).toContainEqual({
      edition: '11-21-26-A',
      state: 'published',
      sent: recipients - 1,
      failed: 1,
      likes: 0,
    })
    expect(plans).toContainEqual({ planId: testPlans.monthly, name: 'Monthly' })
  })

  it('says which editions are held or stopped, in the order of their times', async ({
    delivery,
    desk,
    db,
    read,
  }) => {
    const { publish } = delivery
    const stopped = await publish('11-21-26-C')
    await db.deliveryRun.update({ where: { id: stopped?.id ?? 0 }, data: { state: 'stopped' } })
    await desk.draft('11-21-26-B', ['Held'])
    const date = new Date('2026-11-21')
    await db.edition.updateMany({ where: { date, slot: 'B' }, data: { status: 'held', heldReason: 'Late' } })
    await desk.draft('11-21-26-D', ['A draft'])

    const { editions } = await read('?from=2026-11-21&to=2026-11-21')

    expect(editions.map(({ edition, state }) => [edition, state]).slice(-2)).toEqual([
      ['11-21-26-B', 'held'],
      ['11-21-26-C', 'stopped'],
    ])
  })

  it('counts likes by the day on which they were given, and the memos with the most', async ({
    site,
    db,
    desk,
    today,
    read,
  }) => {
    await desk.draft('11-20-26-B', ['Twice liked', 'Once liked'])
    await desk.publish('11-20-26-B')
    const { memos } = await desk.read('11-20-26-B')
    const [first = '', second = ''] = memos.map(({ id }) => id)
    const { likes } = await today()
    const now = site.clock.now()
    const give = (memoId: string, createdAt: Date) =>
      db.memoLike.create({ data: { memoId, readerId: site.context.ids.uuid(), createdAt } })
    await give(first, now)
    await give(first, now)
    await give(second, now)
    await give(second, new Date(now.getTime() - 40 * dayMs))

    expect((await today()).likes).toBe(likes + 3)
    expect((await read()).mostLiked).toEqual([
      { memo: first, title: 'Twice liked', edition: '11-20-26-B', likes: 2 },
      { memo: second, title: 'Once liked', edition: '11-20-26-B', likes: 1 },
    ])
  })

  it('counts the likes of an edition for itself, and those of older ones only by day', async ({
    site,
    db,
    desk,
    read,
    today,
  }) => {
    const like = (memo: string) => createBrowser({ site }).like(memo)
    const memoOf = async (edition: string, title: string) => {
      await desk.draft(edition, [title])
      await desk.publish(edition)
      return (await desk.read(edition)).memos[0]?.id ?? ''
    }
    const older = await memoOf('09-01-26-B', 'Still liked')
    const newer = await memoOf('11-18-26-B', 'Liked once')
    const { likes } = await today()
    for (const memo of [older, older, older, newer]) expect((await like(memo)).statusCode).toBe(200)
    // The database has a clock of its own.
    const given = { memoId: { in: [older, newer] } }
    await db.memoLike.updateMany({ where: given, data: { createdAt: site.clock.now() } })

    const { editions, days, mostLiked } = await read('?days=30')

    expect(days.at(-1)?.likes).toBe(likes + 4)
    expect(editions.map(({ edition }) => edition)).not.toContain('09-01-26-B')
    expect(editions.find(({ edition }) => edition === '11-18-26-B')?.likes).toBe(1)
    expect(mostLiked[0]).toEqual({ memo: older, title: 'Still liked', edition: '09-01-26-B', likes: 3 })
    const past = await read('?from=2026-09-01&to=2026-09-01')
    expect(past.days[0]?.likes).toBe(0)
    expect(past.editions).toEqual([expect.objectContaining({ edition: '09-01-26-B', likes: 3 })])
  })

  it('counts members by plan, kept by day, and those who joined and left', async ({
    site,
    db,
    today,
    read,
  }) => {
    const members = createTestMembers(site)
    const { context, clock } = site
    const before = await today()
    const signUp = async () => {
      const member = await members.signUp()
      await db.member.update({ where: { id: member.memberId }, data: { verified: true } })
      return member
    }
    const leaving = await signUp()
    await members.signUp()
    await createRecipient(site)
    await context.statistics.storeMembers()
    await context.statistics.storeMembers()
    const monthly = (day: typeof before) =>
      day.members?.byPlan.find(({ planId }) => planId === testPlans.monthly)?.count ?? 0

    const joined = await today()
    expect(joined.new - before.new).toBe(2)
    expect((joined.members?.all ?? 0) - (before.members?.all ?? 0)).toBe(2)
    expect(monthly(joined) - monthly(before)).toBe(1)

    clock.pass(dayMs)
    const session = await members.logIn(leaving)
    const reply = await members.call('DELETE', '/member', { headers: members.headersOf(session) })
    expect(reply.statusCode).toBe(200)
    const [yesterday, left] = (await read('?days=2')).days

    expect(yesterday).toMatchObject({ new: joined.new, gone: joined.gone, members: joined.members })
    expect(left).toMatchObject({ new: 0, gone: 1 })
    expect(left?.members?.all).toBe((joined.members?.all ?? 0) - 1)
    expect((await read('?days=9')).days[0]?.members).toBeNull()
  })

  it('counts opened signed links by purpose, also from many connections, and not invalid ones', async ({
    delivery,
    site,
    db,
    today,
  }) => {
    const { script, publish, send } = delivery
    script.answer = async () => ({ outcome: 'accepted' })
    const { memberId, email } = await createRecipient(site)
    await send(await publish('11-20-26-D'))
    const { id } = await db.delivery.findFirstOrThrow({ where: { memberId } })
    const { signedLinks } = site.context
    const { pathname } = new URL(signedLinks.linkTo('view', id))
    const owner = { memberId, methods: ['memo_email'] as const, linkVersion: 0 }
    const links = signedLinks.ofDelivery(id, owner)
    const open = (url: string) => site.app.inject({ url })

    await Promise.all(Array.from({ length: 12 }, () => open(pathname)))
    await open(`${pathname}x`)
    await open(new URL(links.preferences).pathname)
    await open(new URL(links.unsubscribe).pathname)

    const counts = [
      { purpose: 'view', count: 12 },
      { purpose: 'preferences', count: 1 },
      { purpose: 'unsubscribe', count: 1 },
    ]
    expect((await today()).linksOpened).toEqual(counts)
    site.clock.pass(dayMs)
    await site.context.dailyCounts.removeOld()
    expect(await db.dailyCount.findMany({ where: { kind: 'link' } })).toHaveLength(3)
    expect(await db.dailyCount.findMany({ where: { kind: 'link', backend: { not: 0 } } })).toEqual([])
    expect(JSON.stringify(await db.dailyCount.findMany())).not.toContain(memberId)
    expect(JSON.stringify(await db.dailyCount.findMany())).not.toContain(email)
  })

  it('shows words without results once five readers have searched for them', async ({
    site,
    db,
    read,
    search,
  }) => {
    const words = async () => (await read()).missedSearches
    const passes = Array.from({ length: 6 }, () => `tidings_gate=${site.context.gatePass.issue()}`)
    for (const pass of passes.slice(0, 4)) await search('Zyzzogeton', pass)
    for (let repeat = 0; repeat < 3; repeat += 1) await search('ZYZZOGETON ', passes[0])
    expect(await words()).toEqual([])

    await Promise.all(passes.map((pass) => search('zyzzogeton', pass)))
    await search('axolotl news', passes[0])

    expect(await words()).toEqual([{ words: 'zyzzogeton', readers: 6 }])
    const stored = await db.searchMiss.findMany()
    expect(new Set(stored.map(({ readerHash }) => readerHash)).size).toBe(stored.length)
    for (const pass of passes) expect(JSON.stringify(stored)).not.toContain(site.context.gatePass.idOf(pass))

    site.clock.pass(dayMs)
    await site.context.dailyCounts.removeOld()

    expect(await db.searchMiss.count()).toBe(0)
    expect(await words()).toEqual([{ words: 'zyzzogeton', readers: 6 }])
    expect(JSON.stringify(await db.dailyCount.findMany())).not.toContain('axolotl')
    expect(log.lines.join()).not.toContain('zyzzogeton')
  })

  it.for([
    'days=0',
    'days=401',
    'days=x',
    'from=x',
    'from=2026-11-20&to=2026-11-19',
    'from=2025-01-01&to=2026-11-19',
    'until=x',
  ])('rejects the query %s', async (query, { desk }) => {
    expect(refusalOf(await desk.call('GET', `/statistics?${query}`))).toMatchObject({
      status: 400,
      code: 'invalid-request',
    })
  })
})
