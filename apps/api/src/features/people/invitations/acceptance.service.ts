import type { DeskRole } from '@tidings/contracts/desk/desk'
import type { OpenInvitation } from '@tidings/contracts/desk/people/invitations'
import type { PasskeyCreation } from '@tidings/contracts/desk/people/passkeys'
import { recordChange } from '#features/desk/index.ts'
import type { StoredPasskey } from '#integrations/passkeys/passkey-verifier.ts'
import type { Db } from '#platform/database.ts'
import { countPasskeys, createPasskey } from '../passkeys/passkeys.repository.ts'
import type { PasskeyService, Purpose } from '../passkeys/passkeys.service.ts'
import type { PeopleDeps } from '../people.deps.ts'
import { fail } from '../people.errors.ts'
import {
  addPerson,
  findPersonByEmail,
  lockPerson,
  type PersonRow,
  removeLogins,
  rolesOf,
} from '../people.repository.ts'
import type { DeskSessionService, SignedIn } from '../sessions/sessions.service.ts'
import type { SignedLinks } from '../signed-links.ts'
import { endInvitation, findInvitation, type InvitationRow } from './invitations.repository.ts'
import { toInvitation } from './invitations.service.ts'

type Deps = Pick<PeopleDeps, 'database' | 'clock' | 'deskSite'> & {
  passkeys: PasskeyService
  deskSessions: DeskSessionService
  links: SignedLinks
}

type Acceptance = { name: string; response?: PasskeyCreation | undefined; device: string }

export type AcceptanceService = ReturnType<typeof createAcceptanceService>

/** Lets the holder of an invitation's link accept it, once. */
export function createAcceptanceService({ database, clock, deskSite, passkeys, deskSessions, links }: Deps) {
  /** Returns the open invitation of a token. Throws `invitation-ended`. */
  async function open(db: Db, token: string): Promise<InvitationRow> {
    const id = links.idIn(token)
    const row = id === null ? null : await findInvitation(db, id)
    const isOpen = row !== null && row.endedAt === null && row.expiresAt > clock.now()
    if (!isOpen) throw fail('invitation-ended', row?.invitedBy?.name ?? null)
    return row
  }

  /** Adds the person, or gives a known one a new start, and ends every other way in. */
  async function join(tx: Db, { email, ...row }: InvitationRow, name: string): Promise<PersonRow> {
    const known = await findPersonByEmail(tx, email)
    if (known !== null) await lockPerson(tx, known.id)
    const roles = new Set<DeskRole>([...(known === null ? [] : rolesOf(known)), ...rolesOf(row)])
    const person = await addPerson(tx, { email, name, roles: [...roles] })
    await removeLogins(tx, person.id)
    await recordChange(tx, {
      editor: { kind: 'person', id: person.id },
      action: known === null ? 'person.join' : 'person.recover',
      subject: person.id,
      details: { invitation: row.id, roles: [...roles] },
    })
    return person
  }

  async function hasLogins(personId: string): Promise<boolean> {
    const passkeyCount = await countPasskeys(database.db, personId)
    return passkeyCount > 0 || (await deskSessions.list(personId)).length > 0
  }

  return {
    async look(token: string): Promise<OpenInvitation> {
      const row = await open(database.db, token)
      const { email, roles, invitedBy, expiresAt } = toInvitation(row)
      const person = await findPersonByEmail(database.db, email)
      const endsLogins = person !== null && (await hasLogins(person.id))
      const name = person?.name ?? null
      return { email, roles, invitedBy, expiresAt, name, passkeys: deskSite.hasPasskeys, endsLogins }
    },

    async requestOptions(token: string, name: string) {
      const { id, email } = await open(database.db, token)
      // Authenticators replace a passkey with the same owner, so the id is a new one.
      return await passkeys.creationOptions(`invitation ${id}`, { id, email, name })
    },

    /** Accepts an invitation and signs in. Throws `invitation-ended`, and `passkey-refused` without using it up. */
    async accept(token: string, { name, response, device }: Acceptance): Promise<SignedIn> {
      const { id } = await open(database.db, token)
      const passkey = deskSite.hasPasskeys ? await verifyFirst(`invitation ${id}`, response) : null
      return await database.transaction(async (tx) => {
        const row = await findInvitation(tx, id)
        if (row === null || !(await endInvitation(tx, id, clock.now()))) {
          throw fail('invitation-ended', row?.invitedBy?.name ?? null)
        }
        const person = await join(tx, row, name)
        const createdAt = clock.now()
        if (passkey !== null) {
          await createPasskey(tx, { ...passkey, personId: person.id, name: 'First passkey', createdAt })
        }
        return await deskSessions.start(tx, { personId: person.id, device, isProved: true })
      })
    },
  }

  async function verifyFirst(
    purpose: Purpose,
    response: PasskeyCreation | undefined,
  ): Promise<StoredPasskey> {
    if (response === undefined) throw fail('passkey-refused')
    return await passkeys.verifyNew(purpose, response)
  }
}
