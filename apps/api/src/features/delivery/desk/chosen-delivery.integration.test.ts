import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { draftEdition } from '#test/factories/editions.ts'
import { createRecipient } from '#test/factories/recipients.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'

const key = '11-20-26-A'
const old = '11-20-25-A'
const path = `/editions/${key}`

type Status = 'draft' | 'scheduled' | 'published' | 'withdrawn'
type Run = 'none' | 'planned' | 'sending' | 'stopped' | 'held' | 'done'

const it = deliveryTest().extend('given', { scope: 'file' }, ({ delivery }) => {
  const { db, desk, site } = delivery

  async function put(status: string, deliver?: boolean) {
    const { version } = await desk.read(key)
    const body = { status, ...(deliver !== undefined && { deliver }) }
    return await desk.call('PUT', path, { body, ifMatch: `"${version}"` })
  }

  /** Brings the edition into a status, and its run into a state. */
  async function arrange(status: Status, run: Run): Promise<void> {
    await createRecipient(site)
    await draftEdition(site.context, key, ['First'])
    if (run !== 'none' || status === 'published' || status === 'withdrawn') {
      await delivery.publishDraft(key, { deliver: run !== 'none' })
    }
    if (run !== 'none') {
      const startedAt = run === 'sending' || run === 'done' ? site.clock.now() : null
      const heldReason = run === 'held' ? 'It missed its time.' : null
      await db.deliveryRun.updateMany({ data: { state: run, startedAt, heldReason } })
    }
    if (status !== 'published') await put('draft')
    if (status === 'scheduled') await put('scheduled')
    // As if nothing was chosen yet.
    await db.edition.updateMany({ data: { deliver: null } })
  }

  return { put, arrange }
})

const planned = [200, 'planned']
const refused = (run: Run) => [409, run]

/** The replies to `PUT` with `status: published`, and the run's state: with true, false and without `deliver`. */
const published: readonly (readonly [Status, Run, unknown[], unknown[], unknown[]])[] = [
  ['draft', 'none', planned, [200, 'none'], planned],
  ['scheduled', 'none', planned, [200, 'none'], planned],
  ['published', 'none', planned, [200, 'none'], [200, 'none']],
  ['withdrawn', 'none', planned, [200, 'none'], planned],
  ['scheduled', 'planned', planned, [200, 'stopped'], planned],
  ['published', 'planned', planned, [200, 'stopped'], planned],
  ['withdrawn', 'planned', planned, [200, 'stopped'], planned],
  ['scheduled', 'sending', [200, 'sending'], [200, 'stopped'], [200, 'sending']],
  ['published', 'sending', refused('sending'), [200, 'stopped'], [200, 'sending']],
  ['withdrawn', 'sending', [200, 'sending'], [200, 'stopped'], [200, 'sending']],
  ['scheduled', 'stopped', refused('stopped'), [200, 'stopped'], [200, 'stopped']],
  ['published', 'stopped', refused('stopped'), [200, 'stopped'], [200, 'stopped']],
  ['withdrawn', 'stopped', refused('stopped'), [200, 'stopped'], [200, 'stopped']],
  ['scheduled', 'held', refused('held'), [200, 'held'], [200, 'held']],
  ['published', 'held', refused('held'), [200, 'held'], [200, 'held']],
  ['withdrawn', 'held', refused('held'), [200, 'held'], [200, 'held']],
  ['scheduled', 'done', refused('done'), [200, 'done'], [200, 'done']],
  ['published', 'done', refused('done'), refused('done'), [200, 'done']],
  ['withdrawn', 'done', refused('done'), [200, 'done'], [200, 'done']],
]
const cases = published.flatMap(([status, run, ...expected]) =>
  [true, false, undefined].flatMap((deliver, index) =>
    (['PUT', 'publish'] as const).map((by) => ({
      status,
      run,
      deliver,
      by,
      expected: expected[index] ?? [],
    })),
  ),
)

describe('publishing an edition', () => {
  it.for(cases)(
    'that is $status, with its run $run, by $by with deliver $deliver',
    async (row, { delivery, given }) => {
      const { status, run, deliver, by, expected } = row
      await given.arrange(status, run)

      const body = deliver === undefined ? {} : { body: { deliver } }
      const reply =
        by === 'PUT'
          ? await given.put('published', deliver)
          : await delivery.desk.call('POST', `${path}/publish`, body)

      const state = (await delivery.runOf(key))?.state ?? 'none'
      expect([reply.statusCode, state]).toEqual(expected)
      const read = await delivery.desk.read(key)
      if (reply.statusCode === 200)
        expect(read).toMatchObject({ status: 'published', deliver: deliver ?? null })
      else expect(read).toMatchObject({ status: status === 'withdrawn' ? 'draft' : status, deliver: null })
    },
  )

  it('of a past day later sends it to members once, however often that is asked', async ({ delivery }) => {
    const { site, desk, db, send, script } = delivery
    await createRecipient(site)
    await delivery.publish(old)
    expect(await delivery.runOf(old)).toBeNull()
    const deliver = () => desk.call('POST', `/editions/${old}/publish`, { body: { deliver: true } })

    const replies = await Promise.all([deliver(), deliver(), deliver()])
    replies.push(await deliver())

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    expect(await db.delivery.count()).toBe(1)
    await send(await delivery.runOf(old))
    expect(script.sent).toHaveLength(1)
    const refusal = refusalOf(await deliver())
    expect(refusal).toMatchObject({ status: 409, code: 'delivery-not-plannable' })
    expect(refusal.message).toContain('already')
  })

  it('without memos is sent with its first one', async ({ delivery }) => {
    const { site, desk } = delivery
    await createRecipient(site)
    await delivery.publish(old, [])
    await desk.call('POST', `/editions/${old}/publish`, { body: { deliver: true } })
    const memo = { title: 'First', memo_content: '<p>News.</p>' }
    const added = await desk.call('POST', `/editions/${old}/memos`, { body: memo })
    expect(added.json().delivery).toBe('planned')
    expect(await delivery.db.delivery.count()).toBe(1)
  })
})

describe('what an editor chose', () => {
  it.for([
    ['draft', true],
    ['draft', false],
    ['scheduled', true],
    ['scheduled', false],
  ] as const)(
    'for a %s edition, %s, is read back and counts at its time',
    async ([status, deliver], { delivery, given }) => {
      await given.arrange('draft', 'none')
      await given.put(status, deliver)
      expect((await delivery.desk.read(key)).deliver).toBe(deliver)
      const list = await delivery.desk.call('GET', '/editions')
      expect(list.json().data[0].deliver).toBe(deliver)

      if (status === 'draft') await given.put('published')
      const { publishAt } = await delivery.desk.read(key)
      delivery.site.clock.moveTo(new Date(publishAt))
      await delivery.site.context.publishing.sweep()

      expect((await delivery.desk.read(key)).status).toBe('published')
      expect((await delivery.runOf(key))?.state ?? 'none').toBe(deliver ? 'planned' : 'none')
      const actions = (await delivery.desk.auditOf(key)).map(({ action }) => action)
      expect(actions).toContain('edition.deliver')
    },
  )

  it('is refused for a scheduled edition that members have', async ({ given }) => {
    await given.arrange('withdrawn', 'done')
    const reply = refusalOf(await given.put('scheduled', true))
    expect(reply).toMatchObject({ status: 409, code: 'delivery-not-plannable' })
  })
})

describe('a memo that is added', () => {
  it.for([
    ['draft', 'none', null, 'none'],
    ['scheduled', 'none', null, 'planned-with-edition'],
    ['scheduled', 'none', true, 'planned-with-edition'],
    ['scheduled', 'none', false, 'none'],
    ['scheduled', 'planned', null, 'planned-with-edition'],
    ['scheduled', 'done', null, 'too-late'],
    ['published', 'none', null, 'none'],
    ['published', 'planned', null, 'planned'],
    ['published', 'stopped', null, 'planned'],
    ['published', 'sending', null, 'too-late'],
    ['published', 'done', null, 'too-late'],
  ] as const)('to a %s edition with its run %s and deliver %s is %s', async (row, { delivery, given }) => {
    const [status, run, deliver, expected] = row
    await given.arrange(status, run)
    await delivery.db.edition.updateMany({ data: { deliver } })
    const memo = { title: 'Second', memo_content: '<p>News.</p>' }

    const reply = await delivery.desk.call('POST', `${path}/memos`, { body: memo })

    expect(reply.json().delivery).toBe(expected)
    expect((await delivery.runOf(key))?.state ?? 'none').toBe(run)
  })
})
