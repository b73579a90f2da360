import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeKinds, codePurposes } from '#test/code-flows.ts'
import { refusalOf } from '#test/desk.ts'
import { addApp } from '#test/factories/membership-apps.ts'
import { codeIn } from '#test/inbox.ts'
import { type MailSite, startMailSite } from '#test/mail-site.ts'

let mailSite: MailSite
let site: MailSite['site']
let flows: MailSite['flows']
beforeAll(async () => {
  mailSite = await startMailSite()
  ;({ site, flows } = mailSite)
})
afterAll(() => mailSite.close())

describe.each(codePurposes)('a %s code', (purpose) => {
  const { minutes, refusal, name, words } = codeKinds[purpose]
  const address = (name: string) => `${name}-${purpose}@example.com`
  const refused = { status: 400, code: refusal }

  it('is six digits in the subject and the text, with its lifetime', async () => {
    const mail = await flows.mail(purpose, address('form'))
    expect(mail.subject).toBe(`${codeIn(mail)} is your Tidings ${name}`)
    expect(mail.text).toContain(words)
    expect(mail.text).toContain(minutes === 60 ? 'expires in 1 hour' : 'expires in 10 minutes')
    expect(mail.html).toContain(`>${codeIn(mail)}</p>`)
  })

  it('works once', async () => {
    const email = address('once')
    const code = await flows.code(purpose, email)
    expect((await flows.use(purpose, email, code)).statusCode).toBe(200)
    expect(refusalOf(await flows.use(purpose, email, code))).toMatchObject(refused)
  })

  it('works for one of twenty concurrent requests', async () => {
    const email = address('parallel')
    const code = await flows.code(purpose, email)
    const replies = await Promise.all(Array.from({ length: 20 }, () => flows.use(purpose, email, code)))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const codes = new Set(
      replies.filter(({ statusCode }) => statusCode !== 200).map((reply) => refusalOf(reply).code),
    )
    expect([...codes]).toEqual([refusal])
  })

  it('works with pasted spaces and dashes', async () => {
    const email = address('pasted')
    const code = await flows.code(purpose, email)
    const pasted = ` ${code.slice(0, 3)}-${code.slice(3)}\n`
    expect((await flows.use(purpose, email, pasted)).statusCode).toBe(200)
  })

  it.each([
    ['empty', ''],
    ['five digits', '12345'],
    ['seven digits', '1234567'],
    ['letters', 'abcdef'],
    ['an SQL quotation', "' OR 1=1--"],
    ['five digits and a NUL', '12345\u0000'],
  ])('is never %s', async (_name, code) => {
    const email = address('malformed')
    await flows.memberOf(email)
    expect(refusalOf(await flows.use(purpose, email, code))).toMatchObject(refused)
  })

  it(`expires after ${minutes} minutes`, async () => {
    const late = await flows.code(purpose, address('late'))
    const inTime = await flows.code(purpose, address('in-time'))
    flows.pass(minutes * 60 - 1)
    expect((await flows.use(purpose, address('in-time'), inTime)).statusCode).toBe(200)
    flows.pass(1)
    expect(refusalOf(await flows.use(purpose, address('late'), late))).toMatchObject(refused)
  })

  it('works only for its address', async () => {
    const code = await flows.code(purpose, address('owner'))
    await flows.mail(purpose, address('other'))
    expect(refusalOf(await flows.use(purpose, address('other'), code))).toMatchObject(refused)
    expect((await flows.use(purpose, address('owner'), code)).statusCode).toBe(200)
  })

  it.each(codePurposes.filter((other) => other !== purpose))('does not work as a %s code', async (other) => {
    const email = address(`as-${other}`)
    const code = await flows.code(purpose, email)
    expect(refusalOf(await flows.use(other, email, code))).toMatchObject({
      status: 400,
      code: codeKinds[other].refusal,
    })
    expect((await flows.use(purpose, email, code)).statusCode).toBe(200)
  })

  it('works only in its app', async () => {
    const name = `app${purpose}`
    const headers = await addApp(site, { id: `app_${name}`, publicKey: `pk_${name}` })
    const email = address('apps')
    const code = await flows.code(purpose, email)
    await flows.members.call('POST', '/auth/signup', { headers, body: { email, password: 'long-enough' } })
    expect(refusalOf(await flows.use(purpose, email, code, { headers }))).toMatchObject(refused)
  })

  it('ends when a newer code is emailed', async () => {
    const email = address('newer')
    const first = await flows.code(purpose, email)
    const second = await flows.code(purpose, email)
    expect(refusalOf(await flows.use(purpose, email, first))).toMatchObject(refused)
    expect((await flows.use(purpose, email, second)).statusCode).toBe(200)
  })

  it('is stored only as a hash', async () => {
    const email = address('kept')
    const code = await flows.code(purpose, email)
    const rows = await site.context.database.db.oneTimeCode.findMany({ where: { email, purpose } })
    const jobs = await site.context.database.db.$queryRaw`SELECT data, output FROM jobs.job`
    expect(rows.some(({ codeHash }) => codeHash !== null)).toBe(true)
    const random = /[0-9a-f]{64}|[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z/g
    expect(JSON.stringify([rows, jobs]).replaceAll(random, '')).not.toContain(code)
  })
})
