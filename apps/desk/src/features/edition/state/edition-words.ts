import type { DeskRole } from '@tidings/contracts/desk/desk'
import type { DeskEdition } from '@tidings/contracts/desk/editions'

/** The rights of a person in an edition. */
export type Rights = { canWrite: boolean; canPublish: boolean; reason: string | null }

/** Returns what a person may do in an edition, and why not if they may write elsewhere. */
export function rightsIn(status: DeskEdition['status'], roles: readonly DeskRole[]): Rights {
  const canPublish = roles.some((role) => role === 'editor' || role === 'owner')
  const isWriter = canPublish || roles.includes('writer')
  const canWrite = canPublish || (isWriter && status !== 'scheduled')
  const reason =
    isWriter && !canWrite
      ? 'This edition is scheduled. Ask an editor to change it, or to take it back to draft.'
      : null
  return { canWrite, canPublish, reason }
}
