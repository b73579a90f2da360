import { describe, expect } from 'vitest'
import { overtake, queueUp } from '#test/row-locks.ts'
import { newPassword } from '#test/sign-in/code-flows.ts'
import { verificationTest } from '#test/sign-in/verification-links.ts'

const it = verificationTest().extend(
  'stateOf',
  { scope: 'file' },
  ({ site }) =>
    async (id: string) =>
      await site.context.database.db.member.findUniqueOrThrow({ where: { id } }),
)

const confirmed = 'Your email address is confirmed'
const before = 'Your email address is already confirmed'

describe('the form of a verification link', () => {
  it('asks for the password when its session ends meanwhile', async ({
    site,
    flows,
    linkFieldsOf,
    submit,
    stateOf,
  }) => {
    const { email, memberId, token } = await flows.memberOf('ended@example.com')
    const link = await linkFieldsOf(email)
    const page = await overtake(site, {
      sql: `WITH ended AS (DELETE FROM member_session WHERE member_id = $1)
        UPDATE member SET profile_image = profile_image WHERE id = $1`,
      values: [memberId],
      begin: () => submit(link, { token }),
    })
    expect(page.statusCode).toBe(401)
    expect(page.body).toContain('You’re not logged in to this account here. Enter its password.')
    expect((await stateOf(memberId)).verified).toBe(false)
  })

  it('acts once when it is submitted twice at the same moment', async ({
    site,
    flows,
    linkFieldsOf,
    submit,
    stateOf,
  }) => {
    const { email, password, memberId } = await flows.memberOf('twice@example.com')
    const link = await linkFieldsOf(email)
    const { passwordHash } = await stateOf(memberId)
    const pages: string[] = []
    const send = (fields: Record<string, string>) => async () => {
      pages.push((await submit({ ...link, ...fields })).body)
    }
    await queueUp(site, memberId, [send({ password }), send({ newPassword })])
    // The replies may arrive in either order.
    expect(pages.map((page) => [confirmed, before].find((text) => page.includes(text))).toSorted()).toEqual(
      [before, confirmed].toSorted(),
    )
    expect(await stateOf(memberId)).toMatchObject({ verified: true, passwordHash })
  })

  it.for([
    [
      'password',
      `password_hash = (SELECT password_hash FROM member WHERE id <> $1 LIMIT 1)`,
      400,
      'Your password is incorrect',
    ],
    ['address', `email = 'moved@example.com'`, 400, 'This address is no longer in use'],
  ] as const)(
    'changes nothing when the %s changes after the password was checked',
    async ([what, change, status, words], { site, flows, linkFieldsOf, submit, stateOf }) => {
      const { email, password, memberId } = await flows.memberOf(`changed-${what}@example.com`)
      await flows.memberOf('other@example.com')
      const link = await linkFieldsOf(email)
      const page = await overtake(site, {
        sql: `UPDATE member SET ${change} WHERE id = $1`,
        values: [memberId],
        begin: () => submit({ ...link, password }),
      })
      expect(page.statusCode).toBe(status)
      expect(page.body).toContain(words)
      expect((await stateOf(memberId)).verified).toBe(false)
    },
  )

  it('doesn’t say that it set a password when the address was verified meanwhile', async ({
    site,
    flows,
    linkFieldsOf,
    submit,
    stateOf,
  }) => {
    const { email, memberId } = await flows.memberOf('meanwhile@example.com')
    const link = await linkFieldsOf(email)
    const { passwordHash } = await stateOf(memberId)
    const page = await overtake(site, {
      sql: 'UPDATE member SET verified = true WHERE id = $1',
      values: [memberId],
      begin: () => submit({ ...link, newPassword }),
    })
    expect(page.body).toContain(before)
    expect((await stateOf(memberId)).passwordHash).toBe(passwordHash)
  })
})
