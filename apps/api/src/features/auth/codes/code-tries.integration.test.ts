import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CodeFlows, codeKinds, codePurposes, createCodeFlows, otherCode } from '#test/code-flows.ts'
import { refusalOf } from '#test/desk.ts'
import { startInbox, type TestInbox } from '#test/inbox.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'

let inbox: TestInbox
let site: TestApp
/** Another API process on the same database. */
let second: TestApp
let flows: CodeFlows
let secondFlows: CodeFlows
beforeAll(async () => {
  inbox = await startInbox()
  const databaseUrl = await createTestDatabase()
  site = await startTestApp({ databaseUrl, env: { SMTP_URL: inbox.smtpUrl } })
  second = await startTestApp({ databaseUrl, working: false })
  flows = createCodeFlows(site, inbox)
  secondFlows = createCodeFlows(second, inbox)
})
afterAll(async () => {
  await second.close()
  await site.close()
  await inbox.stop()
})

/** Forty guesses at once, each from an address of its own, every other one at the second process. */
function guessInParallel(purpose: (typeof codePurposes)[number], email: string, code: string) {
  second.clock.moveTo(site.clock.now())
  return Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? flows : secondFlows).use(purpose, email, otherCode(code, index + 1), {
        from: `10.${index}.0.7`,
      }),
    ),
  )
}

async function triesOf(email: string, purpose: (typeof codePurposes)[number]): Promise<number> {
  const row = await site.context.database.db.oneTimeCode.findFirstOrThrow({
    where: { email, purpose, codeHash: { not: null } },
    orderBy: { createdAt: 'desc' },
  })
  return row.tries
}

describe.each(codePurposes)('guessing a %s code', (purpose) => {
  const { refusal } = codeKinds[purpose]
  const address = (name: string) => `${name}-${purpose}@example.com`

  it('leaves the fifth try to the right one', async () => {
    const email = address('fifth')
    const code = await flows.code(purpose, email)
    for (const distance of [1, 2, 3, 4]) await flows.use(purpose, email, otherCode(code, distance))
    expect((await flows.use(purpose, email, code)).statusCode).toBe(200)
  })

  it('ends the code for its network at the fifth wrong one, malformed ones counted', async () => {
    const email = address('sixth')
    const code = await flows.code(purpose, email)
    for (const guess of [otherCode(code, 1), '1', 'abc', otherCode(code, 2), '']) {
      await flows.use(purpose, email, guess)
    }
    expect(refusalOf(await flows.use(purpose, email, code))).toMatchObject({ status: 400, code: refusal })
    expect((await flows.use(purpose, email, code, { from: '10.99.0.1' })).statusCode).toBe(200)
  })

  it('has twenty tries in all from unknown networks, in parallel and over two processes', async () => {
    const email = address('crowd')
    const code = await flows.code(purpose, email)
    const replies = await guessInParallel(purpose, email, code)
    expect(new Set(replies.map((reply) => refusalOf(reply).code))).toEqual(new Set([refusal]))
    expect(await triesOf(email, purpose)).toBe(20)
    const late = await flows.use(purpose, email, code, { from: '10.99.0.1' })
    expect(refusalOf(late)).toMatchObject({ code: refusal })
  })

  it('has five tries of one network, in parallel and over two processes', async () => {
    const email = address('network')
    const code = await flows.code(purpose, email)
    second.clock.moveTo(site.clock.now())
    const from = '10.98.0.1'
    await Promise.all(
      [flows, secondFlows].flatMap((either) =>
        [1, 2, 3, 4, 5, 6].map((distance) => either.use(purpose, email, otherCode(code, distance), { from })),
      ),
    )
    expect(await triesOf(email, purpose)).toBe(5)
  })

  it('begins anew with a new code only', async () => {
    const email = address('anew')
    const code = await flows.code(purpose, email)
    for (const distance of [1, 2, 3, 4, 5]) await flows.use(purpose, email, otherCode(code, distance))
    const next = await flows.code(purpose, email)
    expect((await flows.use(purpose, email, next)).statusCode).toBe(200)
  })

  it('does not touch the code of another address', async () => {
    const code = await flows.code(purpose, address('quiet'))
    await flows.mail(purpose, address('loud'))
    await guessInParallel(purpose, address('loud'), code)
    expect((await flows.use(purpose, address('quiet'), code)).statusCode).toBe(200)
  })

  it('answers for an address that nobody asked a code for as for any other', async () => {
    const replies = await guessInParallel(purpose, address('nobody'), '123456')
    expect(new Set(replies.map((reply) => refusalOf(reply).code))).toEqual(new Set([refusal]))
  })
})
