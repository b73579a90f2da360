import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeKinds } from '#test/code-flows.ts'
import { refusalOf } from '#test/desk.ts'
import { codeIn } from '#test/inbox.ts'
import { type MailSite, startMailSite } from '#test/mail-site.ts'
import { readSession } from '#test/membership.ts'
import { overtake } from '#test/row-locks.ts'

let mailSite: MailSite
let site: MailSite['site']
let flows: MailSite['flows']
beforeAll(async () => {
  mailSite = await startMailSite()
  ;({ site, flows } = mailSite)
})
afterAll(() => mailSite.close())

/** Uses a code while its member changes address: the change commits after the code was checked. */
async function useDuringAddressChange(purpose: keyof typeof codeKinds) {
  const email = `${purpose}@example.com`
  const { memberId } = await flows.memberOf(email)
  const code = purpose === 'signup' ? await knownCode(email) : await flows.code(purpose, email)
  const { db } = site.context.database
  const before = await db.member.findUniqueOrThrow({ where: { id: memberId } })
  const reply = await overtake(site, {
    sql: 'UPDATE member SET email = $1, verified = false WHERE id = $2',
    values: [`not-mine-${email}`, memberId],
    begin: () => flows.use(purpose, email, code),
  })
  const after = await db.member.findUniqueOrThrow({ where: { id: memberId } })
  return { reply, before, after }
}

/** Returns the code emailed for a sign-up with an address that has an account. */
async function knownCode(email: string): Promise<string> {
  await flows.ask('signup', email)
  return codeIn(await mailSite.inbox.mailTo(email, 'You already have an account'))
}

describe('an address changed while a code is used', () => {
  it.each(['login', 'reset', 'verification'] as const)('is not verified by a %s code', async (purpose) => {
    const { reply, before, after } = await useDuringAddressChange(purpose)
    expect(refusalOf(reply)).toMatchObject({ status: 400, code: codeKinds[purpose].refusal })
    expect(after).toMatchObject({ email: `not-mine-${purpose}@example.com`, verified: false })
    expect(after.passwordHash).toBe(before.passwordHash)
  })

  it('is not verified by a signup code, which creates an account for its own address', async () => {
    const { reply, after } = await useDuringAddressChange('signup')
    const { member } = readSession(reply)
    expect(member.id).not.toBe(after.id)
    expect(member).toMatchObject({ verified: true, auth: { email: 'signup@example.com' } })
    expect(after).toMatchObject({ email: 'not-mine-signup@example.com', verified: false })
  })
})
