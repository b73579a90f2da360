import type { MemberSession } from '@tidings/contracts/auth'
import type { MembershipApp } from '../../platform/membership-apps/membership-apps.ts'
import type { MemberRow, MemberService } from '../members/index.ts'
import type { Tokens } from './sessions/sessions.service.ts'

/** What logging in answers. */
export function toSessionReply(
  members: MemberService,
  app: MembershipApp,
  row: MemberRow,
  tokens: Tokens,
): MemberSession {
  return { tokens, member: members.toWire(row, app), redirect: app.loginRedirect }
}
