import { describe, expect } from 'vitest'
import { createRecipient } from '#test/factories/recipients.ts'
import { readPdf } from '#test/pdf/read-pdf.ts'
import { combinedEmailTest, memosAndPdfs } from '#test/sites/combined-email.ts'

const key = '11-20-26-A'
const it = combinedEmailTest()

describe('a member who gets memos and PDFs by email', () => {
  it('gets one email with the attachment, and two rows in the ledger', async ({
    delivery,
    statesOf,
    idsOf,
  }) => {
    const { site, desk, script } = delivery
    const { email, memberId } = await createRecipient(site, { customFields: memosAndPdfs })
    await delivery.send(await delivery.publish(key, ['Ships', 'Trains']))

    expect(script.sent).toMatchObject([{ to: email, subject: 'A: Ships, and 1 more' }])
    const [message] = script.sent
    expect(message?.attachment).toMatchObject({ name: `${key}.pdf` })
    expect(message?.text).toContain('This edition is attached as a PDF.')
    expect(message?.text).toContain('because you chose memos and PDFs by email')
    expect(message?.headers['List-Id']).toContain('<memo.')
    expect(await statesOf(memberId)).toEqual(['sent', 'sent'])
    const { memos, sentWith } = await idsOf(memberId)
    expect([message?.messageId, sentWith]).toEqual([`delivery-${memos}`, memos])
    const list = (await desk.call('GET', `/editions/${key}/deliveries`)).json().data
    expect(list.map(({ messageId }: { messageId: string }) => messageId)).toEqual([
      `delivery-${memos}`,
      `delivery-${memos}`,
    ])
    const found = await desk.call('POST', '/deliveries/search', { body: { member: memberId } })
    const [pdfRow] = found.json().data
    expect(pdfRow).toMatchObject({
      method: 'pdf-email',
      attemptLog: [{ outcome: 'accepted', messageId: `delivery-${memos}` }],
    })
    expect((await desk.call('GET', `/editions/${key}/delivery-report`)).json().data).toMatchObject({
      state: 'done',
      counts: [
        { method: 'memo-email', state: 'sent', count: 1 },
        { method: 'pdf-email', state: 'sent', count: 1 },
      ],
    })
  })

  it('gets the pages of their choice, made once for all, beside members with one method', async ({
    delivery,
  }) => {
    const { site, script } = delivery
    const one = await createRecipient(site)
    const pdf = await createRecipient(site, { customFields: { getPDFMethodByEmail: true } })
    const phones = [1, 2].map(() => createRecipient(site, { customFields: memosAndPdfs }))
    const papers = [1, 2].map(() => createRecipient(site, { customFields: memosAndPdfs, pdfFormat: 'a4' }))
    const [a, b, c, d] = await Promise.all([...phones, ...papers])
    await delivery.send(await delivery.publish(key, ['Ships']))

    const of = (member: { email: string } | undefined) => script.sent.filter(({ to }) => to === member?.email)
    expect(script.sent).toHaveLength(6)
    for (const each of [one, pdf, a, b, c, d]) expect(of(each)).toHaveLength(1)
    expect(of(one)[0]).toMatchObject({ subject: 'A: Ships' })
    expect(of(one)[0]?.attachment).toBeUndefined()
    expect(of(pdf)[0]).toMatchObject({ subject: 'A: Ships (PDF)' })
    const bytesOf = (member: typeof a) => of(member)[0]?.attachment?.bytes ?? Buffer.alloc(0)
    expect(bytesOf(a)).toBe(bytesOf(b))
    expect(bytesOf(c)).toBe(bytesOf(d))
    expect(bytesOf(a)).not.toEqual(bytesOf(c))
    expect(Math.round((await readPdf(bytesOf(c))).pages[0]?.width ?? 0)).toBe(595)
  })

  it('turns both off by unsubscribing, with one click or on the page', async ({ delivery }) => {
    const { site, db, script } = delivery
    const { memberId } = await createRecipient(site, { customFields: memosAndPdfs })
    await delivery.send(await delivery.publish(key))
    const link = /<(.+)>/.exec(script.sent[0]?.headers['List-Unsubscribe'] ?? '')?.[1] ?? ''
    expect(script.sent[0]?.text).toContain(link)
    const url = new URL(link).pathname
    const page = await site.app.inject(url)
    expect(page.body).toContain('Unsubscribe from memos by email and PDFs by email?')

    const done = await site.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })

    expect(done.body).toContain('no more memos by email and PDFs by email')
    const { customFields } = await db.member.findUniqueOrThrow({ where: { id: memberId } })
    expect(customFields).toMatchObject({ getmemomethodbyemail: false, getPDFMethodByEmail: false })
    expect((await site.app.inject(url)).body).toContain('You’re unsubscribed')
  })

  it.for([
    ['PDFs', { getmemomethodbyemail: true }, ['sent', 'suppressed unsubscribed'], 'A: First'],
    ['memos', { getPDFMethodByEmail: true }, ['suppressed unsubscribed', 'sent'], 'A: First (PDF)'],
    ['both', {}, ['suppressed unsubscribed', 'suppressed unsubscribed'], undefined],
    [
      'both for the digest',
      { ...memosAndPdfs, combinestatus: true },
      ['suppressed unsubscribed', 'suppressed unsubscribed'],
      undefined,
    ],
  ] as const)(
    'who turned off %s after the planning gets what is left',
    async ([_what, fields, states, subject], { delivery, statesOf, choose, idsOf }) => {
      const { site, script } = delivery
      const { memberId } = await createRecipient(site, { customFields: memosAndPdfs })
      const run = await delivery.publish(key)
      await choose(memberId, fields)
      await delivery.send(run)
      expect(script.sent.map((message) => message.subject)).toEqual(subject === undefined ? [] : [subject])
      expect(await statesOf(memberId)).toEqual(states)
      expect((await idsOf(memberId)).sentWith).toBeNull()
      expect(await delivery.runOf(key)).toMatchObject({ state: 'done' })
    },
  )

  it('who deleted the account gets nothing, and both rows say so', async ({ delivery }) => {
    const { site, db, script } = delivery
    const { memberId } = await createRecipient(site, { customFields: memosAndPdfs })
    const run = await delivery.publish(key)
    await db.member.delete({ where: { id: memberId } })
    await delivery.send(run)
    expect(script.sent).toEqual([])
    const rows = await db.delivery.findMany({ where: { runId: run?.id ?? 0 } })
    expect(rows).toMatchObject([1, 2].map(() => ({ state: 'suppressed', reason: 'account-deleted' })))
  })

  it('gets the rest of a run that was stopped and resumed once, with the correction', async ({
    delivery,
    statesOf,
  }) => {
    const { site, desk, script } = delivery
    const members = await Promise.all(
      Array.from({ length: 6 }, () => createRecipient(site, { customFields: memosAndPdfs })),
    )
    const run = await delivery.publish(key, ['Wrong'])
    let interruption: Promise<void> | undefined
    const interrupt = async () => {
      expect((await desk.call('POST', `/editions/${key}/deliveries/stop`)).statusCode).toBe(200)
      const [memo] = (await desk.read(key)).memos
      await desk.call('PATCH', `/memos/${memo?.id}`, {
        body: { title: 'Right' },
        ifMatch: `"${memo?.version}"`,
      })
    }
    script.answer = async () => {
      interruption ??= interrupt()
      await interruption
      return { outcome: 'accepted' }
    }
    await delivery.send(run)
    const before = script.sent.length
    expect(before).toBeLessThan(6)
    await desk.call('POST', `/editions/${key}/deliveries/resume`)
    await delivery.send(run)

    expect(new Set(script.sent.map(({ to }) => to)).size).toBe(6)
    expect(script.sent).toHaveLength(6)
    const last = script.sent.at(-1)
    expect(last?.subject).toBe('A: Right')
    expect((await readPdf(last?.attachment?.bytes ?? Buffer.alloc(0))).bookmarks).toEqual(['Right'])
    for (const { memberId } of members) expect(await statesOf(memberId)).toEqual(['sent', 'sent'])
  })
})

describe('a message with both', () => {
  it('is refused for now and tried again as one', async ({ delivery, statesOf }) => {
    const { site, script } = delivery
    const { memberId } = await createRecipient(site, { customFields: memosAndPdfs })
    const run = await delivery.publish(key)
    let tries = 0
    script.answer = async () => {
      tries += 1
      return tries > 2 ? { outcome: 'accepted' } : { outcome: 'temporary', code: '451', response: 'later' }
    }
    await delivery.send(run)
    expect(await statesOf(memberId)).toEqual(['planned 451 later', 'planned 451 later'])
    await delivery.send(run)
    site.clock.pass(3_600_000)
    await delivery.send(run)
    expect([tries, script.sent.length]).toEqual([3, 1])
    expect(script.sent[0]?.attachment).toBeDefined()
    expect(await statesOf(memberId)).toEqual(['sent', 'sent'])
  })

  it('is tried again without a PDF that was turned off meanwhile', async ({ delivery, statesOf, choose }) => {
    const { site, script } = delivery
    const { memberId } = await createRecipient(site, { customFields: memosAndPdfs })
    const run = await delivery.publish(key)
    script.answer = async () => ({ outcome: 'temporary', code: '451', response: 'later' })
    await delivery.send(run)
    await choose(memberId, { getmemomethodbyemail: true })
    script.answer = async () => ({ outcome: 'accepted' })
    site.clock.pass(3_600_000)
    await delivery.send(run)
    expect(script.sent.map(({ attachment }) => attachment)).toEqual([undefined])
    expect(await statesOf(memberId)).toEqual(['sent', 'suppressed unsubscribed'])
  })

  it('is refused permanently as one message, and counts once', async ({ delivery, statesOf }) => {
    const { site, db, script } = delivery
    const { email, memberId } = await createRecipient(site, { customFields: memosAndPdfs })
    script.answer = async () => ({ outcome: 'permanent', code: '550', response: '5.1.1 no such user' })
    await delivery.send(await delivery.publish(key))
    const refused = 'failed 550 5.1.1 no such user'
    expect(await statesOf(memberId)).toEqual([refused, refused])
    expect(await db.suppression.findUnique({ where: { address: email } })).toMatchObject({ bounces: 1 })
    expect(await delivery.runOf(key)).toMatchObject({ state: 'done' })
  })

  it('is never sent in two parts while its memos are being handed over', async ({
    delivery,
    statesOf,
    choose,
  }) => {
    const { site, script } = delivery
    const { memberId } = await createRecipient(site, { customFields: memosAndPdfs })
    const run = await delivery.publish(key)
    await choose(memberId, { getmemomethodbyemail: true })
    let other: Promise<void> | undefined
    script.answer = async () => {
      // The member wants PDFs again, and another worker takes them.
      other ??= choose(memberId, memosAndPdfs).then(() => site.context.sending.send(run?.id ?? 0))
      await other
      return { outcome: 'temporary', code: '451', response: 'later' }
    }
    await delivery.send(run)
    script.answer = async () => ({ outcome: 'accepted' })
    site.clock.pass(3_600_000)
    await delivery.send(run)
    expect(script.sent).toHaveLength(1)
    expect(script.sent[0]?.attachment).toBeDefined()
    expect(await statesOf(memberId)).toEqual(['sent', 'sent'])
  })
})
