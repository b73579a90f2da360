import { describe, expect } from 'vitest'
import { addPlans } from '#test/factories/app-settings.ts'
import { draftEdition } from '#test/factories/editions.ts'
import { holdFreePlan, testPlans } from '#test/factories/plans.ts'
import { createRecipient } from '#test/factories/recipients.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { startTestApp } from '#test/test-app.ts'

const it = deliveryTest()
const hourMs = 3_600_000

describe('an edition', () => {
  it('is planned when it is published and sent once, after the delay', async ({ delivery }) => {
    const { site, send, stateOf, readersOf, runOf } = delivery
    const { email, memberId } = await createRecipient(site)

    const run = await delivery.publish('11-20-26-A', ['Ships return'])
    await site.context.sending.send(run?.id ?? 0)
    expect([readersOf('Ships return'), await stateOf(run, memberId)]).toEqual([[], 'planned'])

    await send(run)
    await send(run)

    expect([readersOf('Ships return'), await stateOf(run, memberId)]).toEqual([[email], 'sent'])
    expect(await runOf('11-20-26-A')).toMatchObject({ state: 'done' })
  })

  it('goes to members with a plan and a verified address who chose it', async ({ delivery }) => {
    const { site, db, send, readersOf, stateOf } = delivery
    const memos = { getmemomethodbyemail: true }
    const chosen = await createRecipient(site)
    const asText = await createRecipient(site, { customFields: { getmemomethodbyemail: 'true' } })
    const none = await createRecipient(site, { customFields: {} })
    const digest = await createRecipient(site, { customFields: { ...memos, combinestatus: true } })
    const free = await createRecipient(site, { planId: null })
    const unverified = await createRecipient(site, { verified: false })
    const bounced = await createRecipient(site)
    const paused = await createRecipient(site)
    const back = await createRecipient(site)
    const { now } = site.clock
    await db.suppression.create({ data: { address: bounced.email, kind: 'bounce', suppressedAt: now() } })
    const pause = (id: string, day: string) =>
      db.member.update({ where: { id }, data: { deliveriesPausedUntil: new Date(day) } })
    await pause(paused.memberId, '2026-11-21')
    await pause(back.memberId, '2026-11-20')

    const run = await delivery.publish('11-20-26-A')
    await send(run)

    expect(readersOf('First')).toEqual([chosen.email, asText.email, back.email].sort())
    const states = [none, digest, free, unverified, bounced, paused].map((each) =>
      stateOf(run, each.memberId),
    )
    expect(await Promise.all(states)).toEqual([
      '',
      '',
      '',
      'suppressed unverified',
      'suppressed bounce',
      'suppressed paused',
    ])
  })

  it('goes to members with a free plan that includes deliveries, and to no others', async ({ delivery }) => {
    const { site, send, readersOf, stateOf } = delivery
    await addPlans(site, [{ id: 'pln_gifted', name: 'Gifted', delivers: true }])
    const gifted = await createRecipient(site, { planId: null })
    const free = await createRecipient(site, { planId: null })
    await holdFreePlan(site, gifted.memberId, 'pln_gifted')
    await holdFreePlan(site, free.memberId, testPlans.free)

    const run = await delivery.publish('11-20-26-A')
    await send(run)

    expect(readersOf('First')).toEqual([gifted.email])
    expect(await stateOf(run, free.memberId)).toBe('')
  })

  it('is not sent to members who changed their mind after it was planned', async ({ delivery }) => {
    const { site, db, send, readersOf, stateOf } = delivery
    const [stays, unsubscribed, ended, deleted, complained, moved] = await Promise.all(
      Array.from({ length: 6 }, () => createRecipient(site)),
    )
    const run = await delivery.publish('11-20-26-A')
    const id = (member: { memberId: string } | undefined) => ({ where: { id: member?.memberId ?? '' } })
    await db.member.update({ ...id(unsubscribed), data: { customFields: { getmemomethodbyemail: false } } })
    await db.planConnection.deleteMany({ where: { memberId: ended?.memberId ?? '' } })
    await db.member.delete(id(deleted))
    const address = complained?.email ?? ''
    await db.suppression.create({ data: { address, kind: 'complaint', suppressedAt: site.clock.now() } })
    await db.member.update({ ...id(moved), data: { email: 'moved@example.com' } })

    await send(run)

    expect(readersOf('First')).toEqual(['moved@example.com', stays?.email])
    expect(await stateOf(run, unsubscribed?.memberId ?? '')).toBe('suppressed unsubscribed')
    expect(await stateOf(run, ended?.memberId ?? '')).toBe('suppressed no-plan')
    expect(await stateOf(run, complained?.memberId ?? '')).toBe('suppressed complaint')
    const anonymous = await db.delivery.findMany({ where: { runId: run?.id ?? 0, memberId: null } })
    expect(anonymous).toMatchObject([{ state: 'suppressed', reason: 'account-deleted', recipient: '' }])
  })

  it('is sent once to each member by two workers', async ({ delivery }) => {
    const { site, mailer, readersOf } = delivery
    const emails = await Promise.all(Array.from({ length: 12 }, () => createRecipient(site)))
    const run = await delivery.publish('11-20-26-A')
    const { database, site: config } = site.context.config
    const other = await startTestApp({
      databaseUrl: database.url,
      working: false,
      env: { EDITION_SLOTS: config.slots.map(({ label }) => `${label}=20:00`).join(',') },
      overrides: { bulkMailer: mailer, clock: site.clock },
    })

    site.clock.pass(60_000)
    await Promise.all([site, other].map(({ context }) => context.sending.send(run?.id ?? 0)))
    await other.close()

    expect(readersOf('First')).toEqual(emails.map(({ email }) => email).sort())
    expect(await delivery.runOf('11-20-26-A')).toMatchObject({ state: 'done' })
  })

  it('sends corrections that were made before and during sending', async ({ delivery }) => {
    const { site, desk, script, send, readersOf } = delivery
    for (let each = 0; each < 5; each += 1) await createRecipient(site)
    const run = await delivery.publish('11-20-26-A', ['Frist', 'Second'])
    const rename = async (title: string) => {
      const [memo] = (await desk.read('11-20-26-A')).memos
      const change = { body: { title }, ifMatch: `"${memo?.version}"` }
      expect((await desk.call('PATCH', `/memos/${memo?.id}`, change)).statusCode).toBe(200)
    }
    await rename('First')
    let correction: Promise<void> | undefined
    script.answer = async () => {
      correction ??= rename('First again')
      await correction
      return { outcome: 'accepted' }
    }

    await send(run)

    expect(readersOf('Frist')).toEqual([])
    expect(script.sent).toHaveLength(5)
    // At most two messages were in flight when it was corrected.
    expect(readersOf('First again').length).toBeGreaterThanOrEqual(3)
  })

  it('leaves out memos that were added after sending began, and the desk says so', async ({ delivery }) => {
    const { site, desk, script, send, readersOf } = delivery
    for (let each = 0; each < 5; each += 1) await createRecipient(site)
    const add = async (title: string) => {
      const body = { title, memo_content: '<p>News.</p>' }
      return (await desk.call('POST', '/editions/11-20-26-A/memos', { body })).json().delivery
    }
    await draftEdition(site.context, '11-20-26-A', [])
    const empty = await delivery.publishDraft('11-20-26-A')
    expect(empty).toMatchObject({ state: 'planned', plannedAt: null })
    expect(await add('First')).toBe('planned')
    site.clock.pass(50_000)
    expect(await add('Second')).toBe('planned')
    site.clock.pass(50_000)
    await site.context.sending.send(empty?.id ?? 0)
    expect(script.sent).toEqual([])

    let added = ''
    script.answer = async () => {
      if (added === '') {
        added = 'under way'
        added = await add('Third')
      }
      return { outcome: 'accepted' }
    }
    await send(empty)

    expect(added).toBe('too-late')
    expect(readersOf('Second')).toHaveLength(5)
    expect(readersOf('Third')).toEqual([])
  })

  it('waits while it is withdrawn before sending, and is sent once it is published again', async ({
    delivery,
  }) => {
    const { site, send, script } = delivery
    await createRecipient(site)
    const run = await delivery.publish('11-20-26-A')
    await delivery.withdraw('11-20-26-A')
    await send(run)
    expect(script.sent).toEqual([])

    await delivery.publishDraft('11-20-26-A')
    await send(run)
    await delivery.withdraw('11-20-26-A')
    await delivery.publishDraft('11-20-26-A')
    await send(run)

    expect(script.sent).toHaveLength(1)
  })

  it('is held when it is withdrawn during sending, until an editor resumes it', async ({ delivery }) => {
    const { site, desk, send, script } = delivery
    for (let each = 0; each < 6; each += 1) await createRecipient(site)
    const run = await delivery.publish('11-20-26-A')
    let withdrawal: Promise<void> | undefined
    script.answer = async () => {
      withdrawal ??= delivery.withdraw('11-20-26-A')
      await withdrawal
      return { outcome: 'accepted' }
    }
    await send(run)
    expect(await delivery.runOf('11-20-26-A')).toMatchObject({ state: 'held' })
    const before = script.sent.length
    expect(before).toBeLessThan(6)

    await delivery.publishDraft('11-20-26-A')
    await send(run)
    expect(script.sent).toHaveLength(before)
    await desk.call('POST', '/editions/11-20-26-A/deliveries/resume')
    await send(run)
    expect(new Set(script.sent.map(({ to }) => to)).size).toBe(6)
    expect(script.sent).toHaveLength(6)
  })
})

describe('a refusal of the mail server', () => {
  it('is final with 5xx and retried later with 4xx, with the same Message-ID', async ({ delivery }) => {
    const { site, script, send, stateOf } = delivery
    const [refused, throttled, fine] = await Promise.all(
      Array.from({ length: 3 }, () => createRecipient(site)),
    )
    const run = await delivery.publish('11-20-26-A')
    const ids = new Set<string>()
    script.answer = async ({ to, messageId }) => {
      if (to === refused?.email) return { outcome: 'permanent', code: '550', response: 'no such user' }
      if (to !== throttled?.email) return { outcome: 'accepted' }
      ids.add(messageId)
      return { outcome: 'temporary', code: '454', response: 'slow down' }
    }

    await send(run)
    expect(await stateOf(run, refused?.memberId ?? '')).toBe('failed 550 no such user')
    expect(await stateOf(run, throttled?.memberId ?? '')).toBe('planned 454 slow down')
    expect(await stateOf(run, fine?.memberId ?? '')).toBe('sent')
    expect(await delivery.runOf('11-20-26-A')).toMatchObject({ state: 'sending' })

    for (let hour = 0; hour < 7; hour += 1) {
      site.clock.pass(hourMs)
      await site.context.sending.send(run?.id ?? 0)
    }
    expect(await stateOf(run, throttled?.memberId ?? '')).toBe('failed 454 slow down')
    expect(ids.size).toBe(1)
    expect(await delivery.runOf('11-20-26-A')).toMatchObject({ state: 'done' })
    expect(script.sent).toHaveLength(1)
  })

  it('is tried again after a message could not be made, whatever was away then', async ({ delivery }) => {
    const { site, script, send, stateOf } = delivery
    const { memberId } = await createRecipient(site)
    const run = await delivery.publish('11-20-26-A')
    script.answer = async () => {
      throw new Error('Connection terminated')
    }
    await send(run)
    expect(await stateOf(run, memberId)).toBe('planned render The message could not be rendered.')

    script.answer = async () => ({ outcome: 'accepted' })
    site.clock.pass(hourMs)
    await site.context.sending.send(run?.id ?? 0)
    expect(await stateOf(run, memberId)).toBe('sent')
    expect(script.sent).toHaveLength(1)
  })

  it('stops the sending while the server is unavailable', async ({ delivery }) => {
    const { site, script, send } = delivery
    for (let each = 0; each < 8; each += 1) await createRecipient(site)
    const run = await delivery.publish('11-20-26-A')
    let tries = 0
    script.answer = async () => {
      tries += 1
      return { outcome: 'unavailable', code: 'ECONNREFUSED', response: '' }
    }
    await send(run)
    expect(tries).toBeLessThanOrEqual(2)

    script.answer = async () => ({ outcome: 'accepted' })
    await send(run)
    expect(script.sent).toHaveLength(8)
  })
})
