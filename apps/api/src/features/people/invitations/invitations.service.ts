import type { DeskRole } from '@tidings/contracts/desk/desk'
import type { DeskInvitation } from '@tidings/contracts/desk/invitations'
import { limits } from '@tidings/contracts/limits'
import { parseEmailAddress } from '@tidings/contracts/membership/email-address'
import { type DeskReply, type Editor, type Requester, recordChange, replyWith } from '#features/desk/index.ts'
import type { Db } from '#platform/database.ts'
import type { RequireProof } from '../passkeys/proofs.ts'
import type { PeopleDeps } from '../people.deps.ts'
import { fail } from '../people.errors.ts'
import { findPerson, findPersonByEmail, lockOwners, rolesOf } from '../people.repository.ts'
import { createSignedLinks } from '../signed-links.ts'
import { sendInvitation } from './invitations.jobs.ts'
import {
  createInvitation,
  endInvitation,
  endInvitations,
  findInvitation,
  type InvitationRow,
  listOpenInvitations,
  removeOldInvitations,
} from './invitations.repository.ts'

type Deps = PeopleDeps & { requireProof: RequireProof }

type Invited = { email: string; roles: readonly DeskRole[] }

export type InvitationService = ReturnType<typeof createInvitationService>

const dayMs = 24 * 3_600_000
const invitationMs = limits.invitationDays * dayMs
// The page of an expired invitation names the inviter.
const keptMs = 30 * dayMs

/** Invites people to the desk. */
export function createInvitationService(deps: Deps) {
  const { database, clock, ids, jobs, apps, emails, changes, requireProof } = deps
  const links = createSignedLinks('invitation', deps)

  async function create(tx: Db, { email, roles }: Invited, invitedBy: Editor | null): Promise<InvitationRow> {
    const now = clock.now()
    await endInvitations(tx, { email }, now)
    const expiresAt = new Date(now.getTime() + invitationMs)
    const row = await createInvitation(tx, {
      id: ids.uuid(),
      email,
      roles: [...roles],
      invitedById: invitedBy?.id ?? null,
      createdAt: now,
      expiresAt,
    })
    await jobs.enqueue(tx, sendInvitation, { invitationId: row.id })
    return row
  }

  function canonical(typed: string): string {
    const email = parseEmailAddress(typed)
    if (email === null) throw fail('invalid-email')
    return email
  }

  async function requireOwner(tx: Db, { id }: Editor): Promise<void> {
    if (!(await lockOwners(tx)).has(id)) throw fail('role-missing')
  }

  /** Emails an invitation by an owner, with its audit entry. */
  async function inviteBy(requester: Requester, find: (tx: Db) => Promise<Invited>): Promise<DeskReply> {
    await requireProof(requester.editor)
    return await changes.run(requester, async (tx, audit) => {
      await requireOwner(tx, requester.editor)
      const invited = await find(tx)
      const row = await create(tx, invited, requester.editor)
      const person = await findPersonByEmail(tx, invited.email)
      const { roles } = invited
      await audit('person.invite', row.id, { roles, ...(person !== null && { person: person.id }) })
      return replyWith(toInvitation(row), 201)
    })
  }

  return {
    links,

    async invite(requester: Requester, { email, roles }: Invited): Promise<DeskReply> {
      const invited = { email: canonical(email), roles }
      return await inviteBy(requester, async () => invited)
    },

    /** Invites a person to a new passkey. Their roles stay. */
    async recover(requester: Requester, personId: string): Promise<DeskReply> {
      return await inviteBy(requester, async (tx) => {
        const person = await findPerson(tx, personId)
        if (person === null) throw fail('person-not-found')
        return { email: person.email, roles: rolesOf(person) }
      })
    },

    /** Invites by a command. Returns the link. */
    async inviteByCommand({ email, roles }: Invited): Promise<{ id: string; url: string; expiresAt: Date }> {
      const row = await database.transaction(async (tx) => {
        const created = await create(tx, { email: canonical(email), roles }, null)
        await recordChange(tx, {
          editor: null,
          action: 'person.invite',
          subject: created.id,
          details: { roles },
        })
        return created
      })
      return { id: row.id, url: links.urlOf(row.id), expiresAt: row.expiresAt }
    },

    async list(): Promise<DeskReply> {
      return replyWith((await listOpenInvitations(database.db, clock.now())).map(toInvitation))
    },

    async withdraw(requester: Requester, id: string): Promise<DeskReply> {
      await requireProof(requester.editor)
      return await changes.run(requester, async (tx, audit) => {
        await requireOwner(tx, requester.editor)
        const row = await findInvitation(tx, id)
        if (row === null || !(await endInvitation(tx, id, clock.now()))) throw fail('invitation-not-found')
        await audit('invitation.withdraw', id, { roles: row.roles })
        return replyWith(toInvitation(row))
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

export function toInvitation(row: InvitationRow): DeskInvitation {
  return {
    id: row.id,
    email: row.email,
    roles: rolesOf(row),
    invitedBy: row.invitedBy?.name ?? null,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }
}
