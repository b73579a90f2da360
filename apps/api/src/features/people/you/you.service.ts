import type { PasskeyAssertion } from '@tidings/contracts/desk/people/passkeys'
import type { You } from '@tidings/contracts/desk/people/you'
import { type DeskReply, type Editor, type Requester, replyWith } from '#features/desk/index.ts'
import type { PasskeyService } from '../passkeys/passkeys.service.ts'
import type { RequireProof } from '../passkeys/proofs.ts'
import type { PeopleDeps } from '../people.deps.ts'
import { fail } from '../people.errors.ts'
import { lockPerson, updatePerson } from '../people.repository.ts'
import type { DeskSessionService, SignedIn } from '../sessions/sessions.service.ts'
import { createOwnPasskeys } from './own-passkeys.service.ts'
import { createReadYou } from './read-you.ts'

type Deps = Pick<PeopleDeps, 'database' | 'clock' | 'changes'> & {
  passkeys: PasskeyService
  deskSessions: DeskSessionService
  requireProof: RequireProof
}

type Self = Pick<Editor, 'id' | 'session'>

export type YouService = ReturnType<typeof createYouService>

/** A person's own page: name, time zone, passkeys and sessions. */
export function createYouService(deps: Deps) {
  const { database, changes, passkeys, deskSessions } = deps
  const read = createReadYou(deps)

  async function listSessions({ id, session }: Self): Promise<DeskReply> {
    const rows = await deskSessions.list(id)
    return replyWith(
      rows.map((row) => ({
        id: row.id,
        device: row.device,
        createdAt: row.createdAt.toISOString(),
        lastUsedAt: row.lastUsedAt.toISOString(),
        isCurrent: row.id === session?.id,
      })),
    )
  }

  return {
    ...createOwnPasskeys({ ...deps, read }),

    /** Returns the person who has just signed in. */
    async ofNewSession({ personId: id, sessionId, provedAt }: SignedIn): Promise<You> {
      return await read({ id, session: { id: sessionId, provedAt } })
    },
    get: async ({ editor }: Requester): Promise<DeskReply> => replyWith(await read(editor)),

    /** Changes name and zone. A new name has an audit entry, because the log names people. */
    async change(
      { editor, idempotency }: Requester,
      { name, timeZone }: { name?: string | undefined; timeZone?: string | null | undefined },
    ): Promise<DeskReply> {
      await changes.run({ editor, idempotency }, async (tx, audit) => {
        const before = await lockPerson(tx, editor.id)
        if (before === null) throw fail('session-ended')
        const { name: to } = await updatePerson(tx, editor.id, {
          ...(name !== undefined && { name }),
          ...(timeZone !== undefined && { timeZone }),
        })
        if (before.name !== to) await audit('person.rename', editor.id, { from: before.name, to })
        return replyWith({ id: editor.id })
      })
      return replyWith(await read(editor))
    },

    listSessions: ({ editor }: Requester): Promise<DeskReply> => listSessions(editor),

    async endSession({ editor }: Requester, id: string): Promise<DeskReply> {
      await deskSessions.end(editor.id, id)
      return await listSessions(editor)
    },

    async requestProofOptions({ editor }: Requester): Promise<DeskReply> {
      return replyWith(await passkeys.requestOptions(`proof ${sessionIdOf(editor)}`, editor.id))
    },

    /** Proves the person of this session, by their own passkey. Throws `passkey-refused`. */
    async giveProof({ editor }: Requester, response: PasskeyAssertion): Promise<DeskReply> {
      const id = sessionIdOf(editor)
      const { personId } = await passkeys.verify(`proof ${id}`, response)
      if (personId !== editor.id) throw fail('passkey-refused')
      const provedAt = await deskSessions.prove(database.db, id)
      return replyWith(await read({ ...editor, session: { id, provedAt } }))
    },

    async signOut({ editor }: Requester): Promise<void> {
      await deskSessions.end(editor.id, sessionIdOf(editor))
    },
  }
}

function sessionIdOf({ session }: Editor): string {
  if (session === undefined) throw fail('session-ended')
  return session.id
}
