import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeKinds, codePurposes } from '#test/code-flows.ts'
import { codeIn } from '#test/inbox.ts'
import { type MailSite, startMailSite } from '#test/mail-site.ts'

let mailSite: MailSite
let inbox: MailSite['inbox']
let site: MailSite['site']
let flows: MailSite['flows']
beforeAll(async () => {
  mailSite = await startMailSite()
  ;({ inbox, site, flows } = mailSite)
})
afterAll(() => mailSite.close())

const hour = 3600

describe.each(codePurposes)('repeated requests for a %s code', (purpose) => {
  const { words } = codeKinds[purpose]
  const address = (name: string) => `${name}-${purpose}@example.com`

  /** Requests a code `times` times, each from another IP address. Returns the distinct replies. */
  async function askOften(email: string, times: number): Promise<string[]> {
    const replies = new Set<string>()
    for (let index = 0; index < times; index += 1) {
      const reply = await flows.ask(purpose, email, { from: `10.0.${index}.7` })
      replies.add(`${reply.statusCode} ${reply.body}`)
      await flows.mailed()
    }
    return [...replies]
  }

  it('send six emails an hour for unknown networks, always with the same response', async () => {
    const email = address('hourly')
    if (purpose !== 'signup') await flows.memberOf(email)
    const replies = await askOften(email, 8)
    expect(replies).toHaveLength(1)
    expect(replies[0]).toMatch(/^200 /)
    expect(await inbox.mailsTo(email, words)).toHaveLength(6)
    flows.pass(hour)
    await askOften(email, 1)
    expect(await inbox.mailsTo(email, words)).toHaveLength(7)
  })

  it('send ten emails a day', async () => {
    const email = address('daily')
    if (purpose !== 'signup') await flows.memberOf(email)
    for (let round = 0; round < 4; round += 1) {
      await askOften(email, 4)
      flows.pass(hour)
    }
    expect(await inbox.mailsTo(email, words)).toHaveLength(10)
    flows.pass(24 * hour)
    await askOften(email, 1)
    expect(await inbox.mailsTo(email, words)).toHaveLength(11)
  })

  it('leave the last code that was sent valid', async () => {
    const email = address('still')
    if (purpose !== 'signup') await flows.memberOf(email)
    await askOften(email, 9)
    const [newest] = await inbox.mailsTo(email, words)
    expect(newest).toBeDefined()
    expect((await flows.use(purpose, email, newest === undefined ? '' : codeIn(newest))).statusCode).toBe(200)
  })

  it('do not count towards the limit of another address or kind', async () => {
    await askOften(address('greedy'), 7)
    await flows.mail(purpose, address('modest'))
    expect(await inbox.mailsTo(address('modest'), words)).not.toHaveLength(0)
    const other = purpose === 'login' ? 'reset' : 'login'
    await flows.mail(other, address('greedy'))
    expect(await inbox.mailsTo(address('greedy'), codeKinds[other].words)).toHaveLength(1)
  })
})

describe.each(['reset', 'login', 'signup'] as const)('a burst of requests for a %s code', (purpose) => {
  it('sends an email with a valid code', async () => {
    const email = `burst-${purpose}@example.com`
    if (purpose !== 'signup') await flows.memberOf(email)
    await Promise.all(Array.from({ length: 20 }, () => flows.ask(purpose, email)))
    await flows.mailed()
    const mails = await inbox.mailsTo(email, codeKinds[purpose].words)
    expect(mails.length).toBeGreaterThan(0)
    expect(mails.length).toBeLessThanOrEqual(5)
    const used = await Promise.all(mails.slice(0, 1).map((mail) => flows.use(purpose, email, codeIn(mail))))
    expect(used.map(({ statusCode }) => statusCode)).toEqual([200])
  })

  it('sends one email if all come in one transaction', async () => {
    const email = `instant-${purpose}@example.com`
    if (purpose !== 'signup') await flows.memberOf(email)
    const { context } = site
    const app = await context.membershipApps.siteApp()
    await context.database.transaction(async (tx) => {
      const caller = { ip: '127.0.0.1', browserId: '', userAgent: '', origin: '' }
      for (let index = 0; index < 20; index += 1)
        await context.codes.request(tx, app, { purpose, email }, caller)
    })
    await flows.mailed()
    const mails = await inbox.mailsTo(email, codeKinds[purpose].words)
    expect(mails).toHaveLength(1)
  })
})

describe('an address without an account', () => {
  it.each(['reset', 'login'] as const)(
    'receives no %s email, and the response is the same',
    async (purpose) => {
      const stranger = `stranger-${purpose}@example.com`
      await flows.memberOf(`known-${purpose}@example.com`)
      const known = await flows.ask(purpose, `known-${purpose}@example.com`)
      const unknown = await flows.ask(purpose, stranger)
      await flows.mailed()
      expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body])
      expect(await inbox.mailsTo(stranger)).toEqual([])
    },
  )
})

describe('an account that is repeatedly created and deleted', () => {
  it('sends three emails an hour for one network', async () => {
    const email = 'leaving@example.com'
    for (let index = 0; index < 8; index += 1) {
      flows.pass(1)
      const { headers } = await flows.members.signUp({ email })
      await flows.mailed()
      expect((await flows.members.call('DELETE', '/member', { headers })).statusCode).toBe(200)
    }
    expect(await inbox.mailsTo(email)).toHaveLength(3)
  })
})

describe('a verified address', () => {
  it('receives no verification email', async () => {
    const email = 'verified@example.com'
    const code = await flows.code('verification', email)
    await flows.use('verification', email, code)
    const before = await inbox.mailsTo(email)
    expect((await flows.ask('verification', email)).statusCode).toBe(200)
    await flows.mailed()
    expect(await inbox.mailsTo(email)).toHaveLength(before.length)
  })
})

describe('one mailbox', () => {
  it.each([
    ['tags', ['box@example.com', 'box+a@example.com', 'box+b+c@example.com', 'Box+d@Example.com']],
    [
      'dots at Gmail',
      ['a.box@gmail.com', 'ab.ox@gmail.com', 'abox+x@googlemail.com', 'a.b.o.x@googlemail.com'],
    ],
  ])('gets no additional codes through %s', async (_name, addresses) => {
    for (const email of addresses) {
      await flows.ask('signup', email, { from: '10.30.0.1' })
      await flows.mailed()
    }
    const mails = await Promise.all(addresses.map((email) => inbox.mailsTo(email.toLowerCase())))
    expect(mails.map(({ length }) => length)).toEqual([1, 1, 1, 0])
  })

  it('is distinguished by dots outside Gmail, and an account is found only by its exact address', async () => {
    for (const email of ['d.ot@example.com', 'do.t@example.com', 'dot@example.com', 'd.o.t@example.com']) {
      const code = await flows.code('signup', email, { from: '10.31.0.1' })
      expect((await flows.use('signup', email, code)).statusCode).toBe(200)
    }
    const known = await flows.memberOf('tag+one@example.com')
    const body = { email: 'tag@example.com', password: known.password }
    expect((await flows.members.call('POST', '/auth/login', { body })).statusCode).toBe(401)
  })
})
