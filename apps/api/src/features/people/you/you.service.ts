import type { PasskeyAssertion, PasskeyCreation } from '@tidings/contracts/desk/passkeys'
import type { You } from '@tidings/contracts/desk/you'
import { limits } from '@tidings/contracts/limits'
import { type DeskReply, type Editor, type Requester, replyWith } from '#features/desk/index.ts'
import { createPasskey, listPasskeys, removePasskeyRow } from '../passkeys/passkeys.repository.ts'
import type { PasskeyService } from '../passkeys/passkeys.service.ts'
import { provedUntil, type RequireProof } from '../passkeys/proofs.ts'
import type { PeopleDeps } from '../people.deps.ts'
import { fail } from '../people.errors.ts'
import { findPerson, lockPerson, rolesOf, updatePerson } from '../people.repository.ts'
import type { DeskSessionService, SignedIn } from '../sessions/sessions.service.ts'

type Deps = Pick<PeopleDeps, 'database' | 'clock' | 'changes'> & {
  passkeys: PasskeyService
  deskSessions: DeskSessionService
  requireProof: RequireProof
}

type Self = Pick<Editor, 'id' | 'session'>

export type YouService = ReturnType<typeof createYouService>

/** A person's own page: name, time zone, passkeys and sessions. */
export function createYouService(deps: Deps) {
  const { database, clock, changes, passkeys, deskSessions, requireProof } = deps

  /** Returns a person as they see themselves. */
  async function read({ id, session }: Self): Promise<You> {
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
    /** Returns the person who has just signed in. */
    async ofNewSession({ personId: id, sessionId, provedAt }: SignedIn): Promise<You> {
      return await read({ id, session: { id: sessionId, provedAt } })
    },
    get: async ({ editor }: Requester): Promise<DeskReply> => replyWith(await read(editor)),

    async change(
      { editor }: Requester,
      { name, timeZone }: { name?: string | undefined; timeZone?: string | null | undefined },
    ): Promise<DeskReply> {
      await updatePerson(database.db, editor.id, {
        ...(name !== undefined && { name }),
        ...(timeZone !== undefined && { timeZone }),
      })
      return replyWith(await read(editor))
    },

    async requestPasskeyOptions({ editor }: Requester): Promise<DeskReply> {
      await requireProof(editor)
      const { id, email, name } = await read(editor)
      return replyWith(await passkeys.creationOptions(`passkey ${id}`, { id, email, name }))
    },

    async addPasskey(
      requester: Requester,
      { name, response }: { name: string; response: PasskeyCreation },
    ): Promise<DeskReply> {
      const { editor } = requester
      await requireProof(editor)
      const passkey = await passkeys.verifyNew(`passkey ${editor.id}`, response)
      await changes.run({ editor, idempotency: null }, async (tx, audit) => {
        if ((await lockPerson(tx, editor.id)) === null) throw fail('session-ended')
        const most = limits.passkeysPerPerson
        if ((await listPasskeys(tx, editor.id)).length >= most) throw fail('too-many-passkeys', most)
        await createPasskey(tx, { ...passkey, personId: editor.id, name, createdAt: clock.now() })
        await audit('passkey.add', editor.id, {})
        return replyWith({})
      })
      return replyWith(await read(editor), 201)
    },

    async removePasskey(requester: Requester, passkeyId: string): Promise<DeskReply> {
      const { editor } = requester
      await requireProof(editor)
      await changes.run(requester, async (tx, audit) => {
        await lockPerson(tx, editor.id)
        const rows = await listPasskeys(tx, editor.id)
        if (!rows.some(({ id }) => id === passkeyId)) throw fail('passkey-not-found')
        if (rows.length === 1) throw fail('last-passkey')
        await removePasskeyRow(tx, editor.id, passkeyId)
        await audit('passkey.remove', editor.id, {})
        return replyWith({})
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
