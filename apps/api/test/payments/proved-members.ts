import type { TestMembers } from '../membership.ts'
import type { TestApp } from '../test-app.ts'

/** Returns members whose addresses are proved, so that they get emails about payments at once. */
export function provedMembers(members: TestMembers, { context }: Pick<TestApp, 'context'>): TestMembers {
  return {
    ...members,
    async signUp(options) {
      const member = await members.signUp(options)
      const where = { id: member.memberId }
      await context.database.db.member.update({ where, data: { verified: true }, select: { id: true } })
      return member
    },
  }
}
