import { describe, expect, onTestFinished } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { addApp } from '#test/factories/membership-apps.ts'
import { mailTest } from '#test/fixtures.ts'
import { codeIn } from '#test/mail/inbox.ts'
import { codeKinds, codePurposes } from '#test/sign-in/code-flows.ts'

const it = mailTest()

describe.each(codePurposes)('a %s code', (purpose) => {
  const { minutes, refusal, name, words } = codeKinds[purpose]
  const address = (name: string) => `${name}-${purpose}@example.com`
  const refused = { status: 400, code: refusal }

  it('is six digits in the subject and the text, with its lifetime', async ({ flows }) => {
    const mail = await flows.mail(purpose, address('form'))
    expect(mail.subject).toBe(`${codeIn(mail)} is your Tidings ${name}`)
    expect(mail.text).toContain(words)
    expect(mail.text).toContain(minutes === 60 ? 'expires in 1 hour' : 'expires in 10 minutes')
    expect(mail.html).toContain(`>${codeIn(mail)}</p>`)
  })

  it('works once', async ({ flows }) => {
    const email = address('once')
    const code = await flows.code(purpose, email)
    expect((await flows.use(purpose, email, code)).statusCode).toBe(200)
    expect(refusalOf(await flows.use(purpose, email, code))).toMatchObject(refused)
  })

  it('works for one of many concurrent requests', async ({ flows }) => {
    const email = address('parallel')
    const code = await flows.code(purpose, email)
    const replies = await Promise.all(Array.from({ length: 8 }, () => flows.use(purpose, email, code)))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const codes = new Set(
      replies.filter(({ statusCode }) => statusCode !== 200).map((reply) => refusalOf(reply).code),
    )
    expect([...codes]).toEqual([refusal])
  })

  it('works with pasted spaces and dashes', async ({ flows }) => {
    const email = address('pasted')
    const code = await flows.code(purpose, email)
    const pasted = ` ${code.slice(0, 3)}-${code.slice(3)}\n`
    expect((await flows.use(purpose, email, pasted)).statusCode).toBe(200)
  })

  it('is never five digits and a NUL', async ({ flows }) => {
    const email = address('malformed')
    await flows.memberOf(email)
    expect(refusalOf(await flows.use(purpose, email, '12345\u0000'))).toMatchObject(refused)
  })

  it(`expires after ${minutes} minutes`, async ({ flows }) => {
    const late = await flows.code(purpose, address('late'))
    const inTime = await flows.code(purpose, address('in-time'))
    flows.pass(minutes * 60 - 1)
    expect((await flows.use(purpose, address('in-time'), inTime)).statusCode).toBe(200)
    flows.pass(1)
    expect(refusalOf(await flows.use(purpose, address('late'), late))).toMatchObject(refused)
  })

  it('works only for its address', async ({ flows }) => {
    const code = await flows.code(purpose, address('owner'))
    await flows.mail(purpose, address('other'))
    expect(refusalOf(await flows.use(purpose, address('other'), code))).toMatchObject(refused)
    expect((await flows.use(purpose, address('owner'), code)).statusCode).toBe(200)
  })

  it('does not work for another purpose', async ({ flows }) => {
    const email = address('purpose')
    const code = await flows.code(purpose, email)
    for (const other of codePurposes.filter((name) => name !== purpose)) {
      const reply = await flows.use(other, email, code)
      expect(refusalOf(reply)).toMatchObject({ status: 400, code: codeKinds[other].refusal })
    }
    expect((await flows.use(purpose, email, code)).statusCode).toBe(200)
  })

  it('works only in its app', async ({ site, flows }) => {
    const name = `app${purpose}`
    const headers = await addApp(site, { id: `app_${name}`, publicKey: `pk_${name}` })
    const email = address('apps')
    const code = await flows.code(purpose, email)
    await flows.members.call('POST', '/auth/signup', { headers, body: { email, password: 'long-enough' } })
    expect(refusalOf(await flows.use(purpose, email, code, { headers }))).toMatchObject(refused)
  })

  it('ends when a newer code is emailed', async ({ flows }) => {
    const email = address('newer')
    const first = await flows.code(purpose, email)
    const second = await flows.code(purpose, email)
    expect(refusalOf(await flows.use(purpose, email, first))).toMatchObject(refused)
    expect((await flows.use(purpose, email, second)).statusCode).toBe(200)
  })

  it('is stored only as a hash', async ({ site, flows }) => {
    const email = address('kept')
    const code = await flows.code(purpose, email)
    const rows = await site.context.database.db.oneTimeCode.findMany({ where: { email, purpose } })
    const jobs = await site.context.database.db.$queryRaw`SELECT data, output FROM jobs.job`
    expect(rows.some(({ codeHash }) => codeHash !== null)).toBe(true)
    const random = /[0-9a-f]{64}|[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z/g
    expect(JSON.stringify([rows, jobs]).replaceAll(random, '')).not.toContain(code)
  })
})

it('removes old codes without waiting for one that is in use', async ({ site, flows }) => {
  const { pool, db } = site.context.database
  const [used, unused] = ['in-use@example.com', 'unused@example.com']
  await flows.code('signup', used)
  await flows.code('signup', unused)
  flows.pass(3 * 24 * 3600)
  const client = await pool.connect()
  onTestFinished(() => client.release())
  const emails = async () => (await db.oneTimeCode.findMany()).map(({ email }) => email)
  await client.query('BEGIN')
  await client.query('SELECT 1 FROM one_time_code WHERE email = $1 FOR UPDATE', [used])
  await site.context.removeOld()
  expect(await emails()).toEqual([used])
  await client.query('COMMIT')
  await site.context.removeOld()
  expect(await emails()).toEqual([])
})
