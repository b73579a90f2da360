import type { SessionsReply } from '@tidings/contracts/members'
import type { SessionRow } from './sessions.repository.ts'

/** A login of a member in the wire's words; `ownId` is that of the session that asks. */
export function toWireSession(
  { id, createdAt, lastUsedAt, expiresAt, userAgent }: SessionRow,
  ownId: string,
): SessionsReply['data'][number] {
  return {
    id,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    userAgent,
    current: id === ownId,
  }
}
