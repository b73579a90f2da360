import { limits } from '@tidings/contracts/limits'
import type { Editor } from '#features/desk/index.ts'
import type { PeopleDeps } from '../people.deps.ts'
import { fail } from '../people.errors.ts'
import type { PasskeyService } from './passkeys.service.ts'

type Deps = Pick<PeopleDeps, 'database' | 'clock'> & { passkeys: PasskeyService }

/** Throws `proof-needed` unless the person has proved in the last ten minutes that it is them. */
export type RequireProof = (editor: Editor) => Promise<void>

const provedMs = limits.deskProofMinutes * 60_000

/** Returns until when a proof is recent enough. */
export function provedUntil(provedAt: Date | null): Date | null {
  return provedAt === null ? null : new Date(provedAt.getTime() + provedMs)
}

export function createRequireProof({ database, clock, passkeys }: Deps): RequireProof {
  return async function requireProof({ id, session }) {
    const until = provedUntil(session?.provedAt ?? null)
    if (until !== null && clock.now() < until) return
    throw fail('proof-needed', await passkeys.proofOf(database.db, id))
  }
}
