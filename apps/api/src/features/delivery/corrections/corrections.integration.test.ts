import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { createRecipient, createSmsRecipient } from '#test/factories/recipients.ts'
import { type DeliverySite, deliveryTest } from '#test/sites/delivery-site.ts'
import { writerOf } from '#test/writing/memo-writer.ts'

const it = deliveryTest()
const key = '11-20-26-A'
const dayMs = 24 * 3600 * 1000

/** Publishes an edition of one memo and sends it. Returns the memo's id. */
async function sent(delivery: DeliverySite): Promise<string> {
  await delivery.send(await delivery.publish(key, ['The harbor opens on Monday']))
  delivery.script.sent.length = 0
  const [memo] = (await delivery.desk.read(key)).memos
  delivery.site.clock.pass(60_000)
  return memo?.id ?? ''
}

async function correct({ desk, site }: DeliverySite, id: string, body: object): Promise<void> {
  const ifMatch = `"${(await desk.readMemo(id)).version}"`
  expect((await desk.call('PATCH', `/memos/${id}`, { body, ifMatch })).statusCode).toBe(200)
  site.clock.pass(60_000)
}

async function status({ desk }: DeliverySite, id: string) {
  return (await desk.call('GET', `/memos/${id}/correction-note`)).json().data
}

function ask({ desk }: DeliverySite, id: string, body: object = { note: 'It is Tuesday.' }, as?: string) {
  return desk.call('POST', `/memos/${id}/correction-note`, { body, ...(as !== undefined && { as }) })
}

/** Runs the job of each stored note. */
async function runJobs({ db, site }: DeliverySite): Promise<void> {
  for (const { id } of await db.correctionNote.findMany()) await site.context.correctionSending.send(id)
}

describe('a note about a correction', () => {
  it('goes to the members who got the old text, and only when an editor asks', async ({ delivery }) => {
    const { desk, site, script } = delivery
    const old = await createRecipient(site)
    const digest = await createRecipient(site, { customFields: { combinestatus: true } })
    await createSmsRecipient(site)
    const id = await sent(delivery)
    expect(await status(delivery, id)).toMatchObject({
      correctedAt: null,
      gotOldText: 0,
      gotText: 1,
      note: null,
    })
    await correct(delivery, id, { title: 'The harbor opens on Tuesday' })
    expect(await status(delivery, id)).toMatchObject({ gotOldText: 1, gotText: 1, waiting: 0, note: null })
    await runJobs(delivery)
    expect(script.sent).toEqual([])

    const reply = await ask(delivery, id)
    expect(reply.json().data.note).toMatchObject({ text: 'It is Tuesday.', waiting: 1, sent: 0 })
    await runJobs(delivery)

    expect(script.sent.map(({ to }) => to)).toEqual([old.email])
    expect(script.sent[0]).toMatchObject({
      subject: 'Correction: The harbor opens on Tuesday',
      headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    })
    expect(script.sent[0]?.text).toContain(
      'We corrected this memo after we had sent it to you. It is Tuesday.',
    )
    expect(script.sent[0]?.html).toContain('The harbor opens on Tuesday')
    expect(script.sent[0]?.html).not.toContain(digest.email)
    expect(await status(delivery, id)).toMatchObject({ note: { sent: 1, waiting: 0 } })
    const [entry] = (await desk.auditOf(key)).filter(({ action }) => action === 'memo.correction-note')
    expect(entry?.details).toMatchObject({ memo: id, note: 'It is Tuesday.', members: 1 })
  })

  it('says what stands below the memo once, and another note beside it', async ({ delivery }) => {
    const { desk, site, script } = delivery
    await createRecipient(site)
    const id = await sent(delivery)
    for (const note of ['It is Tuesday.', 'It is Tuesday, as before.']) {
      const writer = writerOf(desk, id)
      const title = `The harbor opens on Tuesday: ${note}`
      const { version } = (await writer.save((await desk.readMemo(id)).version, { title })).json().data
      expect((await writer.publish(version, { note })).statusCode).toBe(200)
      site.clock.pass(60_000)
      await ask(delivery, id)
      await runJobs(delivery)
    }
    const notes = script.sent.map(({ text }) => text.match(/^(We corrected|Corrected at).*$/gm))
    expect(notes).toEqual([
      ['We corrected this memo after we had sent it to you. It is Tuesday.'],
      [
        'We corrected this memo after we had sent it to you. It is Tuesday.',
        expect.stringMatching(/^Corrected at \d+:\d\d\s[AP]M: It is Tuesday, as before\.$/),
      ],
    ])
  })

  it('is sent once to each member, however often and by however many it is asked for', async ({
    delivery,
  }) => {
    const { site, script, db } = delivery
    for (let each = 0; each < 5; each += 1) await createRecipient(site)
    const id = await sent(delivery)
    await correct(delivery, id, { title: 'The harbor opens on Tuesday' })
    const replies = await Promise.all([1, 2, 3, 4].map(() => ask(delivery, id)))
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    await Promise.all([runJobs(delivery), runJobs(delivery), runJobs(delivery)])
    await ask(delivery, id, { note: 'Another note' })
    await runJobs(delivery)
    expect(script.sent).toHaveLength(5)
    expect(new Set(script.sent.map(({ to }) => to)).size).toBe(5)
    expect(await db.correctionNote.count()).toBe(1)
  })

  it('can be sent about a later correction too, to those who got a text before it', async ({ delivery }) => {
    const { site, script } = delivery
    await createRecipient(site)
    const id = await sent(delivery)
    for (const day of ['Tuesday', 'Wednesday']) {
      await correct(delivery, id, { title: `The harbor opens on ${day}` })
      await ask(delivery, id)
      await runJobs(delivery)
    }
    expect(script.sent.map(({ subject }) => subject)).toEqual([
      'Correction: The harbor opens on Tuesday',
      'Correction: The harbor opens on Wednesday',
    ])
  })

  it('is not for members who still wait: they get the new text', async ({ delivery }) => {
    const { site, script } = delivery
    await createRecipient(site)
    const run = await delivery.publish(key, ['The harbor opens on Monday'])
    const [memo] = (await delivery.desk.read(key)).memos
    await correct(delivery, memo?.id ?? '', { title: 'The harbor opens on Tuesday' })
    expect(refusalOf(await ask(delivery, memo?.id ?? ''))).toMatchObject({
      status: 409,
      code: 'nothing-to-correct',
    })
    expect(await status(delivery, memo?.id ?? '')).toMatchObject({ gotText: 0 })
    await delivery.send(run)
    expect(script.sent[0]?.text).toContain('Tuesday')
    site.clock.pass(60_000)
    expect(await status(delivery, memo?.id ?? '')).toMatchObject({ gotOldText: 0, gotText: 1 })
  })

  it('reaches members of the digest, and none who unsubscribed or deleted the account', async ({
    delivery,
  }) => {
    const { site, script, db } = delivery
    const digest = await createRecipient(site, { customFields: { combinestatus: true } })
    const gone = await createRecipient(site)
    const off = await createRecipient(site)
    site.clock.moveTo(new Date('2026-11-21T04:30:00.000Z'))
    await delivery.send(await delivery.publish('11-20-26-Z', ['The harbor opens on Monday']))
    await delivery.sweep()
    await delivery.send(await delivery.findDigest('2026-11-20'))
    script.sent.length = 0
    const [memo] = (await delivery.desk.read('11-20-26-Z')).memos
    site.clock.pass(60_000)
    await correct(delivery, memo?.id ?? '', { title: 'The harbor opens on Tuesday' })
    expect((await ask(delivery, memo?.id ?? '')).json().data.note.waiting).toBe(3)
    await db.member.delete({ where: { id: gone.memberId } })
    await db.member.update({ where: { id: off.memberId }, data: { customFields: {} } })
    await runJobs(delivery)
    expect(script.sent.map(({ to }) => to)).toEqual([digest.email])
    expect(await status(delivery, memo?.id ?? '')).toMatchObject({ note: { sent: 1, notDelivered: 1 } })
  })

  it('waits for a server that is away, and is never handed over again after a lost reply', async ({
    delivery,
  }) => {
    const { site, script } = delivery
    await createRecipient(site, { domain: 'away.example' })
    await createRecipient(site, { domain: 'lost.example' })
    await createRecipient(site, { domain: 'full.example' })
    const id = await sent(delivery)
    await correct(delivery, id, { title: 'The harbor opens on Tuesday' })
    await ask(delivery, id)
    const handed: string[] = []
    script.answer = async ({ to }) => {
      handed.push(to.split('@')[1] ?? '')
      if (to.endsWith('away.example')) return { outcome: 'temporary', code: '451', response: 'later' }
      if (to.endsWith('lost.example')) return { outcome: 'unknown', code: 'ECONNRESET', response: '' }
      return { outcome: 'permanent', code: '550', response: 'no' }
    }
    await runJobs(delivery)
    expect(await status(delivery, id)).toMatchObject({
      note: { sent: 0, waiting: 1, unconfirmed: 1, notDelivered: 1 },
    })
    script.answer = async ({ to }) => {
      handed.push(to.split('@')[1] ?? '')
      return { outcome: 'accepted' }
    }
    await runJobs(delivery)
    expect(handed.sort()).toEqual(['away.example', 'away.example', 'full.example', 'lost.example'])
    expect(await status(delivery, id)).toMatchObject({ note: { sent: 1, waiting: 0 } })
  })

  it('is not sent by a restored database, which does not know what was sent since', async ({ delivery }) => {
    const { site, script, db } = delivery
    await createRecipient(site)
    const id = await sent(delivery)
    await correct(delivery, id, { title: 'The harbor opens on Tuesday' })
    await ask(delivery, id)
    await db.correctionNote.updateMany({ data: { epoch: { decrement: 1 } } })
    await runJobs(delivery)
    expect(script.sent).toEqual([])
    expect(await status(delivery, id)).toMatchObject({ note: { sent: 0, waiting: 0, unconfirmed: 1 } })
  })

  it('is kept as long as the deliveries of its edition', async ({ delivery }) => {
    const { db, site } = delivery
    await createRecipient(site)
    const id = await sent(delivery)
    await correct(delivery, id, { title: 'The harbor opens on Tuesday' })
    await ask(delivery, id)
    await runJobs(delivery)
    const kept = async () => [await db.correctionNote.count(), await db.correctionDelivery.count()]
    const { archive } = site.context.deliveryOperations

    site.clock.pass(89 * dayMs)
    await archive()
    expect(await kept()).toEqual([1, 1])
    expect(await status(delivery, id)).toMatchObject({ gotText: 1 })
    site.clock.pass(2 * dayMs)
    await archive()
    expect(await kept()).toEqual([0, 0])
    expect(await status(delivery, id)).toMatchObject({ gotText: null })
    expect(refusalOf(await ask(delivery, id)).code).toBe('nothing-to-correct')
  })

  it('is refused without a correction, for a position or dropped changes alone, and without the scope publish', async ({
    delivery,
  }) => {
    const { desk, site } = delivery
    await createRecipient(site)
    const id = await sent(delivery)
    await correct(delivery, id, { position: 1, title: 'The harbor opens on Monday' })
    const writer = writerOf(desk, id)
    await writer.save(1, { title: 'The harbor opens on Tuesday' })
    expect((await writer.discard(2)).statusCode).toBe(200)
    expect(refusalOf(await ask(delivery, id))).toMatchObject({ status: 409, code: 'nothing-to-correct' })
    const unknown = '01900000-0000-7000-8000-000000000000'
    expect(refusalOf(await ask(delivery, unknown)).code).toBe('memo-not-found')
    expect(refusalOf(await ask(delivery, id, { note: 'x'.repeat(1_001) })).code).toBe('invalid-request')
    const { as } = await desk.keyWith('read', 'write')
    expect(refusalOf(await ask(delivery, id, {}, as)).code).toBe('scope-missing')
    const other = await desk.keyWith('write')
    const path = `/memos/${id}/correction-note`
    expect(refusalOf(await desk.call('GET', path, { as: other.as })).code).toBe('scope-missing')
  })
})

describe('GET /desk/v1/editions/{key}/reach', () => {
  const night = '11-20-26-Z'
  const reach = async ({ desk }: DeliverySite) =>
    (await desk.call('GET', `/editions/${night}/reach`)).json().data

  it('counts each member who has it in the mail once, until that is archived', async ({ delivery }) => {
    const { site, db } = delivery
    await createRecipient(site)
    await createRecipient(site, { customFields: { getPDFMethodByEmail: true, getmemomethodbyemail: true } })
    await createRecipient(site, { customFields: { combinestatus: true } })
    await createSmsRecipient(site)
    site.clock.moveTo(new Date('2026-11-21T04:30:00.000Z'))
    const run = await delivery.publish(night, ['The harbor opens on Monday'])
    expect(await reach(delivery)).toEqual({ mailboxes: 0 })
    await delivery.send(run)
    expect(await reach(delivery)).toEqual({ mailboxes: 2 })
    await delivery.sweep()
    await delivery.send(await delivery.findDigest('2026-11-20'))
    expect(await reach(delivery)).toEqual({ mailboxes: 3 })
    await db.deliveryRun.updateMany({ data: { archivedAt: site.clock.now() } })
    expect(await reach(delivery)).toEqual({ mailboxes: null })
  })

  it.for([
    ['11-29-26-A', 404, 'edition-not-found'],
    ['nonsense', 400, 'invalid-edition-key'],
  ] as const)('refuses %s', async ([unknown, status, code], { delivery }) => {
    const reply = await delivery.desk.call('GET', `/editions/${unknown}/reach`)
    expect(refusalOf(reply)).toMatchObject({ status, code })
  })
})
