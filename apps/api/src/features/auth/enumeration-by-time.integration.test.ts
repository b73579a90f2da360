import pg from 'pg'
import { expect, vi } from 'vitest'
import { z } from 'zod'
import type { Passwords } from '#platform/passwords/passwords.ts'
import { compareSamples } from '#test/compare-samples.ts'
import { mailTest } from '#test/fixtures.ts'
import type { TestMembers } from '#test/membership.ts'
import { newPassword } from '#test/sign-in/code-flows.ts'
import { createQuickPasswords } from '#test/sign-in/quick-passwords.ts'

const known = 'known@example.com'
const withoutPassword = 'without@example.com'
/** A network from which no member has logged in. */
const from = '198.51.100.7'
/** Enough rounds that samples of different distributions do not overlap by chance. */
const rounds = 20

// Slow enough that a missing verification would show in the duration.
const quickPasswords = createQuickPasswords({ memoryKiB: 16_384, passes: 2 })
let verifications = 0
const passwords: Passwords = {
  ...quickPasswords,
  verify(...given) {
    verifications += 1
    return quickPasswords.verify(...given)
  },
}

type Reply = { statusCode: number; body: string }
type Attempt = (members: TestMembers, email: string) => Promise<Reply>

const statementSchema = z.union([z.string(), z.object({ text: z.string() }).transform(({ text }) => text)])

const it = mailTest({
  // Without a worker, only the request itself uses the database.
  working: false,
  overrides: { passwords },
  env: {
    PASSWORD_MEMORY_KIB: '16384',
    PASSWORD_PASSES: '2',
    RATE_ACCOUNT_TRIES_PER_HOUR: '100000',
    RATE_ACCOUNT_TRIES_IN_ALL_PER_HOUR: '100000',
    RATE_CODE_MAILS_PER_HOUR: '100000',
    RATE_CODE_MAILS_PER_DAY: '100000',
  },
})
  /** Returns the response with the work that precedes it: each SQL statement, and the password verifications. */
  .extend('workOf', { scope: 'file' }, ({ site }) => {
    const database = new URL(site.context.config.database.url).pathname.slice(1)
    return async (attempt: () => Promise<Reply>) => {
      const query = vi.spyOn(pg.Client.prototype, 'query')
      const before = verifications
      try {
        const { statusCode, body } = await attempt()
        const { calls, contexts } = query.mock
        // The process has other sites, with databases of their own.
        const own = calls.filter((_, index) => {
          const client = contexts[index]
          return client instanceof pg.Client && client.database === database
        })
        // Notifications are sent for many requests together, and no response waits for them.
        const statements = own
          .map(([statement]) => statementSchema.parse(statement))
          .filter((statement) => !JSON.stringify(statement).includes('pg_notify($1, payload)'))
        return { statusCode, body, statements, verifications: verifications - before }
      } finally {
        query.mockRestore()
      }
    }
  })
it.beforeAll(async ({ flows, db, site }) => {
  await flows.memberOf(known)
  await db.member.create({
    data: {
      id: 'mem_withoutpassword',
      appId: site.context.config.site.appId,
      email: withoutPassword,
      termsAcceptedAt: site.clock.now(),
      createdAt: site.clock.now(),
    },
  })
})

let strangers = 0
/** Returns a new address without an account. */
function stranger(): string {
  strangers += 1
  return `stranger-${strangers}@example.com`
}

const logIn: Attempt = (members, email) =>
  members.call('POST', '/auth/login', { from, body: { email, password: 'a-wrong-guess' } })

it.for<[string, Attempt]>([
  ['a login', logIn],
  [
    'a request for a reset code',
    (members, email) => members.call('POST', '/auth/send-reset-password-email', { from, body: { email } }),
  ],
  [
    'a request for a login code',
    (members, email) => members.call('POST', '/auth/passwordless/login/send', { from, body: { email } }),
  ],
  [
    'a request for a sign-up code',
    (members, email) => members.call('POST', '/auth/passwordless/signup/send', { from, body: { email } }),
  ],
])('%s does the same work with or without an account', async ([_name, attempt], { members, workOf }) => {
  const withAccount = await workOf(() => attempt(members, known))
  expect(withAccount.statements).not.toEqual([])
  expect(await workOf(() => attempt(members, stranger()))).toEqual(withAccount)
})

it.for<['reset' | 'login', Attempt]>([
  [
    'reset',
    (members, email) =>
      members.call('POST', '/auth/reset-password', { from, body: { email, token: 'wrong', newPassword } }),
  ],
  [
    'login',
    (members, email) =>
      members.call('POST', '/auth/passwordless/login', { from, body: { email, passwordlessToken: 'wrong' } }),
  ],
])(
  'a wrong %s code does the same work, emailed or not',
  async ([purpose, attempt], { site, flows, db, workOf }) => {
    const [first, second] = [known, stranger()]
    for (const email of [first, second]) {
      await flows.ask(purpose, email)
      const code = { where: { email, purpose }, orderBy: { createdAt: 'desc' } } as const
      await site.context.codes.send((await db.oneTimeCode.findFirstOrThrow(code)).id)
    }
    const emailed = await workOf(() => attempt(flows.members, first))
    expect(emailed.statements).not.toEqual([])
    expect(await workOf(() => attempt(flows.members, second))).toEqual(emailed)
  },
)

it('a login does the same work for an account without a password', async ({ members, workOf }) => {
  const withPassword = await workOf(() => logIn(members, known))
  expect(withPassword.verifications).toBe(1)
  expect(await workOf(() => logIn(members, withoutPassword))).toEqual(withPassword)
})

it('a login takes as long with or without an account', async ({ members }) => {
  const times: [number[], number[]] = [[], []]
  for (let round = -3; round < rounds; round += 1) {
    for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const email = side === 0 ? known : stranger()
      const begun = process.hrtime.bigint()
      await logIn(members, email)
      // The first rounds warm up.
      if (round >= 0) times[side].push(Number(process.hrtime.bigint() - begun) / 1000)
    }
  }
  const comparison = compareSamples(...times)
  expect(comparison.areAlike, JSON.stringify(comparison)).toBe(true)
})
