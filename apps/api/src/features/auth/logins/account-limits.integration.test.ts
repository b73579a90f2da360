import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { newPassword } from '#test/sign-in/code-flows.ts'

const tooMany = { status: 429, code: 'too-many-requests' }
const it = siteTest({ working: false }).extend(
  'change',
  { scope: 'file' },
  ({ members }) =>
    ({ headers }: TestMember, body: Record<string, string>, from: string) => {
      return members.call('POST', '/member-auth', { headers, body, from })
    },
)

it.beforeEach(({ site }) => {
  site.limitCalls('codes', 3)
  site.limitCalls('accountTries', 3)
})

describe('POST /member-auth with an address', () => {
  it('limits how many addresses one IP address can try, free or taken', async ({ members, change }) => {
    const taken = await members.signUp()
    const [ann, bea] = [await members.signUp(), await members.signUp()]
    const from = '10.1.0.1'
    expect((await change(ann, { email: 'first@example.com' }, from)).statusCode).toBe(200)
    for (const member of [ann, bea]) {
      expect(refusalOf(await change(member, { email: taken.email }, from)).code).toBe('email-already-in-use')
    }
    for (const [member, email] of [
      [ann, 'second@example.com'],
      [bea, 'third@example.com'],
      [bea, taken.email],
    ] as const) {
      expect(refusalOf(await change(member, { email }, from))).toMatchObject(tooMany)
    }
    expect((await change(bea, { email: 'third@example.com' }, '10.1.0.2')).statusCode).toBe(200)
  })
})

describe('a logged-in member', () => {
  it('can change the password three times an hour, even with the right old password', async ({
    members,
    change,
  }) => {
    const cy = await members.signUp()
    const passwords = [cy.password, newPassword, 'the-third-password', 'the-fourth-password']
    const statuses: number[] = []
    for (const [index, oldPassword] of passwords.entries()) {
      const chosen = passwords[index + 1] ?? cy.password
      const reply = await change(cy, { oldPassword, newPassword: chosen }, `10.2.0.${index}`)
      statuses.push(reply.statusCode)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  it('can try to set a first password three times an hour', async ({ members }) => {
    const { headers } = await members.signUp()
    const codes: string[] = []
    for (const host of [1, 2, 3, 4]) {
      const body = { password: newPassword }
      const reply = await members.call('POST', '/member/set-password', {
        headers,
        body,
        from: `10.3.0.${host}`,
      })
      codes.push(refusalOf(reply).code)
    }
    expect(codes).toEqual(['invalid-password', 'invalid-password', 'invalid-password', 'too-many-requests'])
  })
})
