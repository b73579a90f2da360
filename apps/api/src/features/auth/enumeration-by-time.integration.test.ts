import { afterAll, beforeAll, expect, it } from 'vitest'
import { newPassword } from '#test/code-flows.ts'
import { compareSamples } from '#test/compare-samples.ts'
import { type MailSite, startMailSite } from '#test/mail-site.ts'

let mailSite: MailSite
let site: MailSite['site']
let flows: MailSite['flows']
beforeAll(async () => {
  // Mails are asked for and sent by nobody: what a worker does is no part of an answer.
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

/** How long the attempt takes for two kinds of address, in turns, and the different answers it had. */
async function interleave(
  attempt: Attempt,
  addresses: readonly [() => string, () => string],
  prepare: (email: string) => Promise<unknown> = async () => {},
) {
  const answers = new Set<string>()
  const times: [number[], number[]] = [[], []]
  for (let round = -5; round < rounds; round += 1) {
    for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const email = addresses[side]()
      await prepare(email)
      const begun = process.hrtime.bigint()
      const { statusCode, body } = await attempt(email)
      const micros = Number(process.hrtime.bigint() - begun) / 1000
      answers.add(`${statusCode} ${body}`)
      // The first ones warm up.
      if (round >= 0) times[side].push(micros)
    }
  }
  return { answers: [...answers], comparison: compareSamples(...times) }
}

const post = (url: string, body: object): Promise<Reply> => flows.members.call('POST', url, { body })

const member = () => known
let strangers = 0
/** An address that nobody has, another one each time. */
function stranger(): string {
  strangers += 1
  return `stranger-${strangers}@example.com`
}

/** Asks for a code and sends it, where there is somebody to send it to. */
async function askedFor(purpose: 'reset' | 'login', email: string): Promise<void> {
  await flows.ask(purpose, email)
  const { database, codes } = site.context
  const latest = { where: { email, purpose }, orderBy: { createdAt: 'desc' } } as const
  await codes.send((await database.db.oneTimeCode.findFirstOrThrow(latest)).id)
}

it.each<[string, Attempt]>([
  ['a login', (email) => post('/auth/login', { email, password: 'a-wrong-guess' })],
  ['asking for a reset code', (email) => post('/auth/send-reset-password-email', { email })],
  ['asking for a login code', (email) => post('/auth/passwordless/login/send', { email })],
  ['asking for a sign-up code', (email) => post('/auth/passwordless/signup/send', { email })],
])('%s tells nobody by its answer or its time who has an account', async (_name, attempt) => {
  const { answers, comparison } = await interleave(attempt, [member, stranger])
  expect(answers).toHaveLength(1)
  expect(comparison.areAlike, JSON.stringify(comparison)).toBe(true)
})

it.each<['reset' | 'login', Attempt]>([
  ['reset', (email) => post('/auth/reset-password', { email, token: 'wrong', newPassword })],
  ['login', (email) => post('/auth/passwordless/login', { email, passwordlessToken: 'wrong' })],
])('a wrong %s code tells nobody who was mailed the right one', async (purpose, attempt) => {
  const { answers, comparison } = await interleave(attempt, [member, stranger], (email) =>
    askedFor(purpose, email),
  )
  expect(answers).toHaveLength(1)
  expect(comparison.areAlike, JSON.stringify(comparison)).toBe(true)
})

it('a login tells nobody who has no password', async () => {
  const attempt: Attempt = (email) => post('/auth/login', { email, password: 'a-wrong-guess' })
  const { answers, comparison } = await interleave(attempt, [member, () => withoutPassword])
  expect(answers).toHaveLength(1)
  expect(comparison.areAlike, JSON.stringify(comparison)).toBe(true)
})
