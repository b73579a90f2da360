import type { EditorScope } from '@tidings/contracts/desk/desk'
import { type DeskKey, deskKey } from '@tidings/contracts/desk/people/editor-keys'
import { type DeskReply, type EditorKeyService, type Requester, replyWith } from '#features/desk/index.ts'
import type { RequireProof } from '../passkeys/proofs.ts'
import type { PeopleDeps } from '../people.deps.ts'

type Deps = Pick<PeopleDeps, 'changes'> & { editorKeys: EditorKeyService; requireProof: RequireProof }

type KeyRow = Awaited<ReturnType<EditorKeyService['list']>>[number]

export type KeyDesk = ReturnType<typeof createKeyDesk>

/** Lets owners make and revoke the editor keys of scripts. */
export function createKeyDesk({ changes, editorKeys, requireProof }: Deps) {
  return {
    list: async (): Promise<DeskReply> => replyWith((await editorKeys.list()).map(toDeskKey)),

    /** Returns the secret of a new key once: neither it nor the reply is stored. */
    async make(
      { editor }: Requester,
      { name, scopes }: { name: string; scopes: readonly EditorScope[] },
    ): Promise<DeskReply> {
      await requireProof(editor)
      return await changes.run({ editor, idempotency: null }, async (tx, audit) => {
        const { key, secret } = await editorKeys.make(tx, name, scopes)
        await audit('key.make', key.id, { name, scopes })
        return replyWith({ ...toDeskKey(key), secret }, 201)
      })
    },

    async revoke(requester: Requester, id: string): Promise<DeskReply> {
      await requireProof(requester.editor)
      return await changes.run(requester, async (tx, audit) => {
        const key = await editorKeys.revokeOne(tx, id)
        await audit('key.revoke', id, { name: key.name })
        return replyWith(toDeskKey(key))
      })
    },
  }
}

function toDeskKey(row: KeyRow): DeskKey {
  return {
    id: row.id,
    name: row.name,
    scopes: deskKey.shape.scopes.parse(row.scopes),
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  }
}
