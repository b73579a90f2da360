import type { MemberSession } from '@tidings/contracts/auth'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { MemberRow, MemberService } from '../members/index.ts'
import type { BegunSession } from './sessions/sessions.service.ts'

/** What logging in answers; the row may be from before. */
export function toSessionReply(
  members: MemberService,
  app: MembershipApp,
  row: MemberRow,
  { tokens, begunAt }: BegunSession,
): MemberSession {
  const member = members.toWire({ ...row, lastLoginAt: begunAt }, app)
  return { tokens, member, redirect: app.loginRedirect }
}
