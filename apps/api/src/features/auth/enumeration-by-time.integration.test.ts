import { afterAll, beforeAll, expect, it } from 'vitest'
import { newPassword } from '#test/code-flows.ts'
import { compareSamples } from '#test/compare-samples.ts'
import { type MailSite, startMailSite } from '#test/mail-site.ts'

let mailSite: MailSite
let site: MailSite['site']
let flows: MailSite['flows']
beforeAll(async () => {
  // Without a worker, sending emails does not affect the timing.
  mailSite = await startMailSite({
    working: false,
    env: {
      PASSWORD_MEMORY_KIB: '8192',
      PASSWORD_PASSES: '2',
      RATE_ACCOUNT_TRIES_PER_HOUR: '100000',
      RATE_ACCOUNT_TRIES_IN_ALL_PER_HOUR: '100000',
      RATE_CODE_MAILS_PER_HOUR: '100000',
      RATE_CODE_MAILS_PER_DAY: '100000',
    },
  })
  ;({ site, flows } = mailSite)
  await flows.memberOf(known)
  await site.context.database.db.member.create({
    data: {
      id: 'mem_withoutpassword',
      appId: site.context.config.site.appId,
      email: withoutPassword,
      termsAcceptedAt: site.clock.now(),
      createdAt: site.clock.now(),
    },
  })
})
afterAll(() => mailSite.close())

const known = 'known@example.com'
const withoutPassword = 'without@example.com'
const rounds = 60

type Reply = { statusCode: number; body: string }
type Attempt = (email: string) => Promise<Reply>

/** Times the attempt for two kinds of address alternately. Returns the distinct responses and the comparison. */
async function interleave(
  attempt: Attempt,
  addresses: readonly [() => string, () => string],
  prepare: (email: string) => Promise<unknown> = async () => {},
) {
  const responses = new Set<string>()
  const times: [number[], number[]] = [[], []]
  for (let round = -5; round < rounds; round += 1) {
    for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const email = addresses[side]()
      await prepare(email)
      const begun = process.hrtime.bigint()
      const { statusCode, body } = await attempt(email)
      const micros = Number(process.hrtime.bigint() - begun) / 1000
      responses.add(`${statusCode} ${body}`)
      // The first rounds warm up.
      if (round >= 0) times[side].push(micros)
    }
  }
  return { responses: [...responses], comparison: compareSamples(...times) }
}

const post = (url: string, body: object): Promise<Reply> => flows.members.call('POST', url, { body })

const member = () => known
let strangers = 0
/** Returns a new address without an account each time. */
function stranger(): string {
  strangers += 1
  return `stranger-${strangers}@example.com`
}

/** Requests a code and sends it if the address has an account. */
async function requestCode(purpose: 'reset' | 'login', email: string): Promise<void> {
  await flows.ask(purpose, email)
  const { database, codes } = site.context
  const latest = { where: { email, purpose }, orderBy: { createdAt: 'desc' } } as const
  await codes.send((await database.db.oneTimeCode.findFirstOrThrow(latest)).id)
}

it.each<[string, Attempt]>([
  ['a login', (email) => post('/auth/login', { email, password: 'a-wrong-guess' })],
  ['a request for a reset code', (email) => post('/auth/send-reset-password-email', { email })],
  ['a request for a login code', (email) => post('/auth/passwordless/login/send', { email })],
  ['a request for a sign-up code', (email) => post('/auth/passwordless/signup/send', { email })],
])('%s does not reveal by response or timing whether an account exists', async (_name, attempt) => {
  const { responses, comparison } = await interleave(attempt, [member, stranger])
  expect(responses).toHaveLength(1)
  expect(comparison.areAlike, JSON.stringify(comparison)).toBe(true)
})

it.each<['reset' | 'login', Attempt]>([
  ['reset', (email) => post('/auth/reset-password', { email, token: 'wrong', newPassword })],
  ['login', (email) => post('/auth/passwordless/login', { email, passwordlessToken: 'wrong' })],
])('a wrong %s code does not reveal whether a code was emailed', async (purpose, attempt) => {
  const { responses, comparison } = await interleave(attempt, [member, stranger], (email) =>
    requestCode(purpose, email),
  )
  expect(responses).toHaveLength(1)
  expect(comparison.areAlike, JSON.stringify(comparison)).toBe(true)
})

it('a login does not reveal whether the account has a password', async () => {
  const attempt: Attempt = (email) => post('/auth/login', { email, password: 'a-wrong-guess' })
  const { responses, comparison } = await interleave(attempt, [member, () => withoutPassword])
  expect(responses).toHaveLength(1)
  expect(comparison.areAlike, JSON.stringify(comparison)).toBe(true)
})
