import type { DeskRole } from '@tidings/contracts/desk/desk'
import { limits } from '@tidings/contracts/limits'
import { parseEmailAddress } from '@tidings/contracts/membership/email-address'
import { type Editor, recordChange } from '#features/desk/index.ts'
import type { Db } from '#platform/database.ts'
import type { PeopleDeps } from '../people.deps.ts'
import { fail } from '../people.errors.ts'
import { createSignedLinks } from '../signed-links.ts'
import { sendInvitation } from './invitations.jobs.ts'
import {
  createInvitation,
  endInvitations,
  findInvitation,
  type InvitationRow,
  removeOldInvitations,
} from './invitations.repository.ts'

export type Invited = { email: string; roles: readonly DeskRole[] }

const dayMs = 24 * 3_600_000
const invitationMs = limits.invitationDays * dayMs
// The page of an expired invitation names the inviter.
const keptMs = 30 * dayMs

/** Issues invitations, and emails them while they are open. */
export function createIssuedInvitations(deps: PeopleDeps) {
  const { database, clock, ids, jobs, apps, emails } = deps
  const links = createSignedLinks('invitation', deps)

  /** Stores an invitation in the caller's transaction, in place of an earlier one to the address. */
  async function issue(tx: Db, { email, roles }: Invited, invitedBy: Editor | null): Promise<InvitationRow> {
    const now = clock.now()
    await endInvitations(tx, { email }, now)
    const row = await createInvitation(tx, {
      id: ids.uuid(),
      email,
      roles: [...roles],
      invitedById: invitedBy?.id ?? null,
      createdAt: now,
      expiresAt: new Date(now.getTime() + invitationMs),
    })
    await jobs.enqueue(tx, sendInvitation, { invitationId: row.id })
    return row
  }

  return {
    links,
    issue,

    /** Invites by a command. Returns the link. */
    async inviteByCommand({ email, roles }: Invited): Promise<{ url: string; expiresAt: Date }> {
      const invited = { email: canonicalAddress(email), roles }
      return await database.transaction(async (tx) => {
        const { id, expiresAt } = await issue(tx, invited, null)
        await recordChange(tx, { editor: null, action: 'person.invite', subject: id, details: { roles } })
        return { url: links.urlOf(id), expiresAt }
      })
    },

    /** Emails an invitation that is still open. */
    async send(invitationId: string): Promise<void> {
      const row = await findInvitation(database.db, invitationId)
      if (row === null || row.endedAt !== null || row.expiresAt <= clock.now()) return
      const envelope = { app: await apps.siteApp(), to: row.email, messageId: `desk-invitation-${row.id}` }
      await emails.sendCode(envelope, {
        kind: 'desk-invitation',
        inviter: row.invitedBy?.name ?? null,
        link: links.urlOf(row.id),
        days: limits.invitationDays,
      })
    },

    async removeOld(): Promise<void> {
      await removeOldInvitations(database.db, new Date(clock.now().getTime() - keptMs))
    },
  }
}

/** Throws `invalid-email`. */
export function canonicalAddress(typed: string): string {
  const email = parseEmailAddress(typed)
  if (email === null) throw fail('invalid-email')
  return email
}
