import type { MemberSession } from '@tidings/contracts/membership/auth'
import { findMember, type MemberRow, type MemberService } from '#features/members/index.ts'
import type { Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { Caller } from '../caller.ts'
import type { BegunSession, SessionService } from './sessions.service.ts'

/** Returns what login and sign-up reply; the row may be older than the session. */
export function toSessionReply(
  members: MemberService,
  app: MembershipApp,
  row: MemberRow,
  { tokens, begunAt }: BegunSession,
): MemberSession {
  const member = members.toWire({ ...row, lastLoginAt: begunAt }, app)
  return { tokens, member, redirect: app.loginRedirect }
}

/** Begins a session of a member and returns its reply; null if the member is gone. */
export async function logIn(
  tx: Db,
  { sessions, members }: { sessions: SessionService; members: MemberService },
  app: MembershipApp,
  { memberId, caller }: { memberId: string; caller: Caller },
): Promise<MemberSession | null> {
  const session = await sessions.begin(tx, app, memberId, { caller })
  const row = await findMember(tx, memberId)
  return session === null || row === null ? null : toSessionReply(members, app, row, session)
}
