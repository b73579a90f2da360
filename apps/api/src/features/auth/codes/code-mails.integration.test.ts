import { describe, expect } from 'vitest'
import { mailTest } from '#test/fixtures.ts'
import { codeIn } from '#test/mail/inbox.ts'
import { type CodeFlows, type CodePurpose, codeKinds, codePurposes } from '#test/sign-in/code-flows.ts'

const it = mailTest()

const hour = 3600
/** One email for a network, two for all unknown networks, and three in all; twice as many a day. */
const fewMails = { perHour: 3, perDay: 6 }

/** Requests a code `times` times, each from another network. Returns the distinct replies. */
async function askOften(
  flows: CodeFlows,
  { purpose, email, times }: { purpose: CodePurpose; email: string; times: number },
): Promise<string[]> {
  const replies = new Set<string>()
  for (let index = 0; index < times; index += 1) {
    const reply = await flows.ask(purpose, email, { from: `10.0.${index}.7` })
    replies.add(`${reply.statusCode} ${reply.body}`)
    await flows.mailed()
  }
  return [...replies]
}

describe.each(codePurposes)('repeated requests for a %s code', (purpose) => {
  const { words } = codeKinds[purpose]
  const address = (name: string) => `${name}-${purpose}@example.com`

  it.beforeEach(({ site }) => site.limitMails(fewMails))

  it('send two thirds of the hourly limit to unknown networks, always with the same response', async ({
    flows,
    inbox,
  }) => {
    const email = address('hourly')
    if (purpose !== 'signup') await flows.memberOf(email)
    const replies = await askOften(flows, { purpose, email, times: 4 })
    expect(replies).toHaveLength(1)
    expect(replies[0]).toMatch(/^200 /)
    expect(await inbox.mailsTo(email, words)).toHaveLength(2)
    flows.pass(hour)
    await askOften(flows, { purpose, email, times: 1 })
    expect(await inbox.mailsTo(email, words)).toHaveLength(3)
  })

  it('send two thirds of the daily limit to unknown networks', async ({ flows, inbox }) => {
    const email = address('daily')
    if (purpose !== 'signup') await flows.memberOf(email)
    for (let round = 0; round < 3; round += 1) {
      await askOften(flows, { purpose, email, times: 2 })
      flows.pass(hour)
    }
    expect(await inbox.mailsTo(email, words)).toHaveLength(4)
    flows.pass(24 * hour)
    await askOften(flows, { purpose, email, times: 1 })
    expect(await inbox.mailsTo(email, words)).toHaveLength(5)
  })

  it('leave the last code that was sent valid', async ({ flows, inbox }) => {
    const email = address('last')
    if (purpose !== 'signup') await flows.memberOf(email)
    await askOften(flows, { purpose, email, times: 3 })
    const [newest, ...earlier] = await inbox.mailsTo(email, words)
    expect(earlier).toHaveLength(1)
    const code = newest === undefined ? '' : codeIn(newest)
    expect((await flows.use(purpose, email, code)).statusCode).toBe(200)
  })

  it('do not count towards the limit of another address or kind', async ({ flows, inbox }) => {
    await askOften(flows, { purpose, email: address('greedy'), times: 3 })
    await flows.mail(purpose, address('modest'), { from: '10.0.9.7' })
    const other = purpose === 'login' ? 'reset' : 'login'
    await flows.mail(other, address('greedy'))
    expect(await inbox.mailsTo(address('greedy'), codeKinds[other].words)).toHaveLength(1)
  })
})

it('emails six codes an hour and ten a day to unknown networks by default', async ({ flows, inbox }) => {
  const email = 'default@example.com'
  await flows.memberOf(email)
  await askOften(flows, { purpose: 'login', email, times: 7 })
  expect(await inbox.mailsTo(email, codeKinds.login.words)).toHaveLength(6)
  flows.pass(hour)
  await askOften(flows, { purpose: 'login', email, times: 5 })
  expect(await inbox.mailsTo(email, codeKinds.login.words)).toHaveLength(10)
})

describe.each(['reset', 'login', 'signup'] as const)('a burst of requests for a %s code', (purpose) => {
  it('sends an email with a valid code', async ({ flows, inbox }) => {
    const email = `burst-${purpose}@example.com`
    if (purpose !== 'signup') await flows.memberOf(email)
    await Promise.all(Array.from({ length: 10 }, () => flows.ask(purpose, email)))
    await flows.mailed()
    const mails = await inbox.mailsTo(email, codeKinds[purpose].words)
    expect(mails.length).toBeGreaterThan(0)
    expect(mails.length).toBeLessThanOrEqual(5)
    const [newest] = mails
    const code = newest === undefined ? '' : codeIn(newest)
    expect((await flows.use(purpose, email, code)).statusCode).toBe(200)
  })

  it('sends one email if all come in one transaction', async ({ site, flows, inbox }) => {
    const email = `instant-${purpose}@example.com`
    if (purpose !== 'signup') await flows.memberOf(email)
    const { context } = site
    const app = await context.apps.siteApp()
    await context.database.transaction(async (tx) => {
      const caller = { ip: '127.0.0.1', browserId: '', userAgent: '', origin: '' }
      for (let index = 0; index < 5; index += 1)
        await context.codes.request(tx, app, { purpose, email }, caller)
    })
    await flows.mailed()
    const mails = await inbox.mailsTo(email, codeKinds[purpose].words)
    expect(mails).toHaveLength(1)
  })
})

describe('an address without an account', () => {
  it.for(['reset', 'login'] as const)(
    'receives no %s email, and the response is the same',
    async (purpose, { flows, inbox }) => {
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
  it.beforeEach(({ site }) => site.limitMails(fewMails))

  it('sends a third of the hourly limit to one network', async ({ flows, inbox }) => {
    const email = 'leaving@example.com'
    for (let index = 0; index < 3; index += 1) {
      flows.pass(1)
      const { headers } = await flows.members.signUp({ email })
      await flows.mailed()
      expect((await flows.members.call('DELETE', '/member', { headers })).statusCode).toBe(200)
    }
    expect(await inbox.mailsTo(email)).toHaveLength(1)
  })
})

describe('a verified address', () => {
  it('receives no verification email', async ({ flows, inbox }) => {
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
  it.beforeEach(({ site }) => site.limitMails(fewMails))

  it.for<[string, string[]]>([
    ['tags', ['box@example.com', 'box+a@example.com', 'Box+b+c@Example.com']],
    ['dots at Gmail', ['a.box@gmail.com', 'ab.ox@gmail.com', 'abox+x@googlemail.com']],
  ])('gets no additional codes through %s', async ([_name, addresses], { flows, inbox }) => {
    for (const email of addresses) {
      await flows.ask('signup', email, { from: '10.30.0.1' })
      await flows.mailed()
    }
    const mails = await Promise.all(addresses.map((email) => inbox.mailsTo(email.toLowerCase())))
    expect(mails.map(({ length }) => length)).toEqual([1, 0, 0])
  })

  it('is distinguished by dots outside Gmail', async ({ flows }) => {
    for (const email of ['d.ot@example.com', 'do.t@example.com', 'dot@example.com']) {
      const code = await flows.code('signup', email, { from: '10.31.0.1' })
      expect((await flows.use('signup', email, code)).statusCode).toBe(200)
    }
  })

  it('has accounts that are found only by their exact address', async ({ flows }) => {
    const known = await flows.memberOf('tag+one@example.com')
    const body = { email: 'tag@example.com', password: known.password }
    expect((await flows.members.call('POST', '/auth/login', { body })).statusCode).toBe(401)
  })
})
