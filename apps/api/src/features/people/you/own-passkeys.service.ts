import type { PasskeyCreation } from '@tidings/contracts/desk/people/passkeys'
import { limits } from '@tidings/contracts/limits'
import { type DeskReply, type Requester, replyWith } from '#features/desk/index.ts'
import { createPasskey, listPasskeys, removePasskeyRow } from '../passkeys/passkeys.repository.ts'
import type { PasskeyService } from '../passkeys/passkeys.service.ts'
import type { RequireProof } from '../passkeys/proofs.ts'
import type { PeopleDeps } from '../people.deps.ts'
import { fail } from '../people.errors.ts'
import { lockPerson } from '../people.repository.ts'
import type { ReadYou } from './read-you.ts'

type Deps = Pick<PeopleDeps, 'clock' | 'changes'> & {
  passkeys: PasskeyService
  requireProof: RequireProof
  read: ReadYou
}

/** Lets people add and remove their own passkeys, which needs a recent proof. */
export function createOwnPasskeys({ clock, changes, passkeys, requireProof, read }: Deps) {
  return {
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
  }
}
