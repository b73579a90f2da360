import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { mailTest } from '#test/fixtures.ts'
import { codeIn } from '#test/mail/inbox.ts'
import { readSession } from '#test/membership.ts'
import { overtake } from '#test/row-locks.ts'
import { codeKinds } from '#test/sign-in/code-flows.ts'

const it = mailTest()
  /** Returns the code emailed for a sign-up with an address that has an account. */
  .extend('knownCode', { scope: 'file' }, ({ flows, inbox }) => async (email: string): Promise<string> => {
    await flows.ask('signup', email)
    return codeIn(await inbox.mailTo(email, 'You already have an account'))
  })

  /** Uses a code while its member changes address: the change commits after the code was checked. */
  .extend(
    'useDuringAddressChange',
    { scope: 'file' },
    ({ site, flows, knownCode }) =>
      async (purpose: keyof typeof codeKinds) => {
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
      },
  )

describe('an address changed while a code is used', () => {
  it.for(['login', 'reset', 'verification'] as const)(
    'is not verified by a %s code',
    async (purpose, { useDuringAddressChange }) => {
      const { reply, before, after } = await useDuringAddressChange(purpose)
      expect(refusalOf(reply)).toMatchObject({ status: 400, code: codeKinds[purpose].refusal })
      expect(after).toMatchObject({ email: `not-mine-${purpose}@example.com`, verified: false })
      expect(after.passwordHash).toBe(before.passwordHash)
    },
  )

  it('is not verified by a signup code, which creates an account for its own address', async ({
    useDuringAddressChange,
  }) => {
    const { reply, after } = await useDuringAddressChange('signup')
    const { member } = readSession(reply)
    expect(member.id).not.toBe(after.id)
    expect(member).toMatchObject({ verified: true, auth: { email: 'signup@example.com' } })
    expect(after).toMatchObject({ email: 'not-mine-signup@example.com', verified: false })
  })
})
