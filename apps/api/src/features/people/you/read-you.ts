import type { You } from '@tidings/contracts/desk/people/you'
import type { Editor } from '#features/desk/index.ts'
import { listPasskeys } from '../passkeys/passkeys.repository.ts'
import type { PasskeyService } from '../passkeys/passkeys.service.ts'
import { provedUntil } from '../passkeys/proofs.ts'
import type { PeopleDeps } from '../people.deps.ts'
import { fail } from '../people.errors.ts'
import { findPerson, rolesOf } from '../people.repository.ts'

/** Returns a person as they see themselves. */
export type ReadYou = (self: Pick<Editor, 'id' | 'session'>) => Promise<You>

export function createReadYou({
  database,
  passkeys,
}: Pick<PeopleDeps, 'database'> & { passkeys: PasskeyService }): ReadYou {
  return async function readYou({ id, session }) {
    const { db } = database
    const person = await findPerson(db, id)
    if (person === null) throw fail('session-ended')
    const rows = await listPasskeys(db, id)
    return {
      id,
      name: person.name,
      email: person.email,
      roles: rolesOf(person),
      timeZone: person.timeZone,
      passkeys: rows.map((row) => ({
        id: row.id,
        name: row.name,
        createdAt: row.createdAt.toISOString(),
        lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
      })),
      proof: await passkeys.proofOf(db, id),
      provedUntil: provedUntil(session?.provedAt ?? null)?.toISOString() ?? null,
    }
  }
}
