import { countedMembers, deskMember, searchMembers } from '@tidings/contracts/desk/members'
import { dataOf } from '@tidings/contracts/envelope'
import { describe, expect } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { refusalOf } from '#test/desk.ts'
import { testPlans } from '#test/factories/plans.ts'
import { createRecipient } from '#test/factories/recipients.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'

const log = createCapturedLog()
const unknownMember = `mem_${'a'.repeat(24)}`

const it = deliveryTest({ overrides: { logger: log.logger } })
  .extend('desk', { scope: 'file' }, ({ delivery }) => delivery.desk)
  .extend('db', { scope: 'file' }, ({ delivery }) => delivery.db)
  .extend('search', { scope: 'file' }, ({ desk }) => async (body: object, query = '') => {
    const reply = await desk.call('POST', `/members/search${query}`, { body })
    return searchMembers.reply.strict().parse(reply.json())
  })
  .extend('look', { scope: 'file' }, ({ desk }) => async (id: string) => {
    return dataOf(deskMember.strict()).parse((await desk.call('GET', `/members/${id}`)).json()).data
  })
  .extend('suppress', { scope: 'file' }, ({ delivery, db }) => (address: string) => {
    const suppressedAt = delivery.site.clock.now()
    const reason = `550 5.1.1 <${address}> No such mailbox`
    return db.suppression.create({ data: { address, kind: 'bounce', reason, bounces: 3, suppressedAt } })
  })

describe('POST /desk/v1/members/search', () => {
  it('finds by id, by address in any spelling, by number, and by words of the name', async ({
    delivery,
    db,
    desk,
    search,
  }) => {
    const { email, memberId } = await createRecipient(delivery.site, {
      customFields: { name: 'Ada Brandt-Šimić' },
    })
    const at = { codeExpiresAt: new Date(0), consentAt: new Date(0), consentOrigin: '', consentText: '' }
    const number = '+14155550147'
    await db.memberPhone.create({ data: { memberId, text: number, number, verifiedAt: new Date(0), ...at } })
    const searches = [
      { member: memberId },
      { address: ` ${email.toUpperCase()} ` },
      { number: '(415) 555-0147' },
      { name: 'brandt ada' },
      { name: 'RAND' },
    ]

    for (const body of searches) {
      const { data, next } = await search(body)
      expect(data, JSON.stringify(body)).toMatchObject([
        {
          id: memberId,
          name: 'Ada Brandt-Šimić',
          email,
          verified: true,
          phone: { number, verified: true },
          plans: [{ planId: testPlans.monthly, type: 'SUBSCRIPTION', active: true }],
        },
      ])
      expect(next).toBeNull()
    }
    expect((await search({ name: 'ada nobody' })).data).toEqual([])
    expect(refusalOf(await desk.call('POST', '/members/search', { body: { name: '%' } }))).toMatchObject({
      status: 400,
      code: 'invalid-request',
    })
    expect((await search({ address: 'nobody@example.com' })).data).toEqual([])
  })

  it('pages through the members with a name, and shows none of another app', async ({
    delivery,
    db,
    search,
  }) => {
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) {
      const { memberId } = await createRecipient(delivery.site, { customFields: { name: `Quokka ${count}` } })
      ids.push(memberId)
    }
    await db.membershipApp.create({
      data: { id: 'app_finding', publicKey: 'pk_finding', config: { name: 'O' } },
    })
    await db.member.update({ where: { id: ids.pop() ?? '' }, data: { appId: 'app_finding' } })

    const first = await search({ name: 'quokka' }, '?limit=3')
    const second = await search({ name: 'quokka' }, `?limit=3&after=${first.next}`)

    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids.toSorted())
    expect(second.next).toBeNull()
    const members = await db.member.count({ where: { app: { id: { not: 'app_finding' } } } })
    expect([first.counts, second.counts]).toEqual([{ found: 4, isExact: true, members }, null])
  })

  it('counts members exactly up to a limit', async ({ delivery, db, search }) => {
    const { memberId } = await createRecipient(delivery.site)
    const { appId } = await db.member.findUniqueOrThrow({ where: { id: memberId } })
    const copy = (count: number) => ({
      id: `mem_numbat${count}`,
      appId,
      email: `numbat-${count}@example.com`,
      customFields: { name: `Numbat ${count}` },
      termsAcceptedAt: new Date(0),
      createdAt: new Date(0),
    })
    await db.member.createMany({ data: Array.from({ length: countedMembers }, (_, count) => copy(count)) })
    const members = await db.member.count({ where: { appId } })

    expect((await search({ name: 'numbat' }, '?limit=1')).counts).toEqual({
      found: countedMembers,
      isExact: true,
      members,
    })
    await db.member.create({ data: copy(countedMembers) })
    expect((await search({ name: 'numbat' }, '?limit=1')).counts).toEqual({
      found: countedMembers,
      isExact: false,
      members: members + 1,
    })
    expect((await search({ name: 'nobody' })).counts).toMatchObject({ found: 0, isExact: true })
  })

  it('lists the members whose address is suppressed', async ({ delivery, db, search, suppress }) => {
    await db.suppression.deleteMany()
    const { email, memberId } = await createRecipient(delivery.site)
    await createRecipient(delivery.site)
    await suppress(email)

    expect((await search({ suppressed: true })).data.map(({ id }) => id)).toEqual([memberId])
  })

  it('is in the audit log with who was found, and what was searched stands in no log', async ({
    delivery,
    desk,
    search,
  }) => {
    const { email, memberId } = await createRecipient(delivery.site, { customFields: { name: 'Zyzzyva' } })
    const before = (await desk.auditOf('members')).length
    await search({ address: email })
    await search({ name: 'zyzzyva' })

    const lines = (await desk.auditOf('members')).slice(before)

    expect(lines).toMatchObject([
      { action: 'member.search', editor: 'EDITOR_API_KEY', details: { by: 'address', found: [memberId] } },
      { action: 'member.search', details: { by: 'name', found: [memberId] } },
    ])
    const written = `${JSON.stringify(lines)} ${log.lines.join()}`
    expect(written).not.toContain(email)
    expect(written.toLowerCase()).not.toContain('zyzzyva')
  })

  it.for([
    {},
    { name: '' },
    { name: 'a\u0000' },
    { address: 'no address' },
    { address: '+14155550147' },
    { number: 'x' },
    { number: 'a@example.com' },
    { member: '' },
    { member: 'a@example.com' },
    { suppressed: false },
    { name: 'a', member: unknownMember },
  ])('rejects %j', async (body, { desk }) => {
    expect(refusalOf(await desk.call('POST', '/members/search', { body }))).toMatchObject({
      status: 400,
      code: 'invalid-request',
    })
  })
})

describe('GET /desk/v1/members/{id}', () => {
  it('returns plans, choices, suppression with its reason, and deliveries with the words of the server', async ({
    delivery,
    look,
    suppress,
  }) => {
    const { site, publish, send } = delivery
    const { email, memberId } = await createRecipient(site)
    await send(await publish('11-20-26-A'))
    await suppress(email)

    const member = await look(memberId)

    expect(member).toMatchObject({
      id: memberId,
      email,
      plans: [{ planId: testPlans.monthly, active: true }],
      methods: ['memo-email'],
      pdfFormat: 'phone',
      pausedUntil: null,
      obstacle: 'bounce',
      suppressions: [
        {
          to: 'email',
          kind: 'bounce',
          reason: `550 5.1.1 <${email}> No such mailbox`,
          since: site.clock.now().toISOString(),
        },
      ],
      comments: { count: 0, hidden: 0, allHidden: false },
      deliveries: { data: [{ edition: '11-20-26-A', method: 'memo-email', state: 'sent' }], next: null },
    })
  })

  it('is in the audit log each time, without the address', async ({ delivery, desk, look }) => {
    const { email, memberId } = await createRecipient(delivery.site)
    await look(memberId)
    await look(memberId)

    const lines = await desk.auditOf(memberId)

    expect(lines.map(({ action }) => action)).toEqual(['member.look', 'member.look'])
    expect(JSON.stringify(lines)).not.toContain(email)
  })

  it('returns 404 for an unknown member and for one of another app', async ({ desk, delivery, db }) => {
    const { memberId } = await createRecipient(delivery.site)
    await db.membershipApp.create({
      data: { id: 'app_looking', publicKey: 'pk_looking', config: { name: 'O' } },
    })
    await db.member.update({ where: { id: memberId }, data: { appId: 'app_looking' } })

    for (const id of [unknownMember, memberId]) {
      for (const [method, path] of [
        ['GET', `/members/${id}`],
        ['POST', `/members/${id}/lift-suppression`],
      ] as const) {
        expect(refusalOf(await desk.call(method, path))).toMatchObject({
          status: 404,
          code: 'member-not-found',
        })
      }
    }
    expect(refusalOf(await desk.call('GET', '/members/x'))).toMatchObject({ status: 400 })
  })
})

describe('POST /desk/v1/members/{id}/lift-suppression', () => {
  it('sends to the address again, once in the audit log and without the address', async ({
    delivery,
    db,
    desk,
    suppress,
  }) => {
    const { email, memberId } = await createRecipient(delivery.site)
    await suppress(email)
    const lift = (key?: string) =>
      desk.call('POST', `/members/${memberId}/lift-suppression`, key === undefined ? {} : { key })

    const replies = [await lift('lift-1'), await lift('lift-1'), await lift()]

    for (const reply of replies) {
      expect(dataOf(deskMember).parse(reply.json()).data).toMatchObject({ suppressions: [], obstacle: null })
    }
    expect(await db.suppression.findUnique({ where: { address: email } })).toMatchObject({
      suppressedAt: null,
      bounces: 0,
      liftedAt: delivery.site.clock.now(),
    })
    const lines = await desk.auditOf(memberId)
    expect(lines.map(({ action, details }) => [action, details.kind])).toEqual([
      ['member.lift-suppression', 'bounce'],
    ])
    expect(JSON.stringify(lines)).not.toContain(email)
    expect(JSON.stringify(await db.idempotencyRecord.findMany())).not.toContain(email)
  })

  it('leaves a suppressed number to its owner', async ({ delivery, db, desk, suppress }) => {
    const { memberId } = await createRecipient(delivery.site)
    const number = '+14155550148'
    const at = { codeExpiresAt: new Date(0), consentAt: new Date(0), consentOrigin: '', consentText: '' }
    await db.memberPhone.create({ data: { memberId, text: number, number, verifiedAt: new Date(0), ...at } })
    await suppress(number)

    const reply = await desk.call('POST', `/members/${memberId}/lift-suppression`)

    expect(dataOf(deskMember).parse(reply.json()).data.suppressions).toMatchObject([{ to: 'phone' }])
  })
})

describe('members', () => {
  it('are not shown to keys without the scope publish', async ({ desk }) => {
    const { as } = await desk.keyWith('read', 'write')
    for (const [method, path, body] of [
      ['POST', '/members/search', { member: unknownMember }],
      ['GET', `/members/${unknownMember}`, undefined],
      ['POST', `/members/${unknownMember}/lift-suppression`, undefined],
    ] as const) {
      const reply = await desk.call(method, path, { as, ...(body !== undefined && { body }) })
      expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'scope-missing' })
    }
  })
})
