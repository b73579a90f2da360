import type { DeskRole } from '@tidings/contracts/desk/desk'
import type { DeskPerson } from '@tidings/contracts/desk/people/people'
import { type DeskReply, type Editor, type Requester, recordChange, replyWith } from '#features/desk/index.ts'
import type { Db } from '#platform/database.ts'
import { endInvitations } from '../invitations/invitations.repository.ts'
import type { RequireProof } from '../passkeys/proofs.ts'
import type { PeopleDeps } from '../people.deps.ts'
import { fail } from '../people.errors.ts'
import {
  addPerson,
  findPerson,
  findPersonByEmail,
  listActive,
  lockOwners,
  type PersonRow,
  readLogins,
  removeLogins,
  rolesOf,
  updatePerson,
} from '../people.repository.ts'

type Deps = Pick<PeopleDeps, 'database' | 'clock' | 'changes'> & { requireProof: RequireProof }

export type PeopleService = ReturnType<typeof createPeopleService>

/** Lets owners change roles and remove people. One owner always stays. */
export function createPeopleService({ database, clock, changes, requireProof }: Deps) {
  /** Throws `last-owner` if there is no other owner. The caller has locked the owners. */
  function keepOneOwner(owners: ReadonlySet<string>, id: string): void {
    if (owners.has(id) && owners.size === 1) throw fail('last-owner')
  }

  async function remove(tx: Db, owners: ReadonlySet<string>, person: PersonRow): Promise<PersonRow> {
    keepOneOwner(owners, person.id)
    const now = clock.now()
    await removeLogins(tx, person.id)
    await endInvitations(tx, { invitedById: person.id }, now)
    await endInvitations(tx, { email: person.email }, now)
    return await updatePerson(tx, person.id, { removedAt: now })
  }

  /** Locks the owners, of whom the requester must still be one. */
  async function ownersFor(tx: Db, { id }: Editor): Promise<Set<string>> {
    const owners = await lockOwners(tx)
    if (!owners.has(id)) throw fail('role-missing')
    return owners
  }

  async function getPerson(tx: Db, id: string): Promise<PersonRow> {
    const person = await findPerson(tx, id)
    if (person === null) throw fail('person-not-found')
    return person
  }

  return {
    async list({ editor }: Requester): Promise<DeskReply> {
      const isOwner = editor.roles.has('owner')
      const people = (await listActive(database.db)).map(toPerson)
      if (!isOwner) return replyWith(people.map((person) => ({ ...person, email: null })))
      const logins = await readLogins(database.db)
      return replyWith(people.map((person) => ({ ...person, ...toLogins(logins.get(person.id)) })))
    },

    async changeRoles(requester: Requester, id: string, roles: readonly DeskRole[]): Promise<DeskReply> {
      await requireProof(requester.editor)
      return await changes.run(requester, async (tx, audit) => {
        const owners = await ownersFor(tx, requester.editor)
        const person = await getPerson(tx, id)
        const isOwner = roles.includes('owner')
        if (!isOwner) keepOneOwner(owners, id)
        if (!isOwner) await endInvitations(tx, { invitedById: id }, clock.now())
        const changed = await updatePerson(tx, id, { roles: [...roles] })
        const [from, to] = [rolesOf(person), rolesOf(changed)]
        if (from.toSorted().join() !== to.toSorted().join()) await audit('person.change', id, { from, to })
        return replyWith(toPerson(changed))
      })
    },

    async remove(requester: Requester, id: string): Promise<DeskReply> {
      await requireProof(requester.editor)
      return await changes.run(requester, async (tx, audit) => {
        const owners = await ownersFor(tx, requester.editor)
        const removed = await remove(tx, owners, await getPerson(tx, id))
        await audit('person.remove', id, { roles: rolesOf(removed) })
        return replyWith(toPerson(removed))
      })
    },

    listForCommand: (): Promise<PersonRow[]> => listActive(database.db),

    /** Removes a person by a command. Throws `person-not-found` and `last-owner`. */
    async removeByCommand(email: string): Promise<PersonRow> {
      return await database.transaction(async (tx) => {
        const owners = await lockOwners(tx)
        const person = await findPersonByEmail(tx, email)
        if (person === null) throw fail('person-not-found')
        const removed = await remove(tx, owners, person)
        const roles = rolesOf(person)
        await recordChange(tx, {
          editor: null,
          action: 'person.remove',
          subject: person.id,
          details: { roles },
        })
        return removed
      })
    },

    /** Adds a seeded person unless their address is known. Returns how many were added. */
    async seed(person: { email: string; name: string; roles: readonly DeskRole[] }): Promise<number> {
      if ((await findPersonByEmail(database.db, person.email)) !== null) return 0
      await addPerson(database.db, person)
      return 1
    },
  }
}

type Logins = NonNullable<ReturnType<Awaited<ReturnType<typeof readLogins>>['get']>>

function toLogins(
  { passkeys, lastSeenAt }: Logins = { passkeys: 0, lastSeenAt: null },
): Pick<DeskPerson, 'passkeys' | 'lastSeenAt'> {
  return { passkeys, lastSeenAt: lastSeenAt?.toISOString() ?? null }
}

function toPerson(row: PersonRow): DeskPerson {
  return { id: row.id, name: row.name, roles: rolesOf(row), email: row.email }
}
