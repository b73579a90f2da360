import { type DeskInvitation, invitation } from '@tidings/contracts/desk/people/invitations'
import { dataOf } from '@tidings/contracts/envelope'
import { type DeskReply, type Editor, type Requester, replyWith } from '#features/desk/index.ts'
import type { Db } from '#platform/database.ts'
import type { RequireProof } from '../passkeys/proofs.ts'
import type { PeopleDeps } from '../people.deps.ts'
import { fail } from '../people.errors.ts'
import { findPerson, findPersonByEmail, lockOwners, rolesOf } from '../people.repository.ts'
import {
  endInvitation,
  findInvitation,
  type InvitationRow,
  listOpenInvitations,
} from './invitations.repository.ts'
import { canonicalAddress, createIssuedInvitations, type Invited } from './issued-invitations.ts'

type Deps = PeopleDeps & { requireProof: RequireProof }

export type InvitationService = ReturnType<typeof createInvitationService>

/** Lets owners invite people to the desk. */
export function createInvitationService(deps: Deps) {
  const { database, clock, changes, requireProof } = deps
  const issued = createIssuedInvitations(deps)

  async function requireOwner(tx: Db, { id }: Editor): Promise<void> {
    if (!(await lockOwners(tx)).has(id)) throw fail('role-missing')
  }

  /** Emails an invitation by an owner, with its audit entry. Returns the link of a new person too, which is never stored. */
  async function inviteBy(requester: Requester, find: (tx: Db) => Promise<Invited>): Promise<DeskReply> {
    await requireProof(requester.editor)
    const reply = await changes.run(requester, async (tx, audit) => {
      await requireOwner(tx, requester.editor)
      const invited = await find(tx)
      const row = await issued.issue(tx, invited, requester.editor)
      const person = await findPersonByEmail(tx, invited.email)
      const { roles } = invited
      await audit('person.invite', row.id, { roles, ...(person !== null && { person: person.id }) })
      return replyWith(toInvitation(row), 201)
    })
    const { data: made } = dataOf(invitation).parse(reply.body)
    // An owner with the link of someone who works here could act under their name.
    const isKnown = (await findPersonByEmail(database.db, made.email)) !== null
    return { ...reply, body: { data: { ...made, link: isKnown ? null : issued.links.urlOf(made.id) } } }
  }

  return {
    ...issued,

    async invite(requester: Requester, { email, roles }: Invited): Promise<DeskReply> {
      const invited = { email: canonicalAddress(email), roles }
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
