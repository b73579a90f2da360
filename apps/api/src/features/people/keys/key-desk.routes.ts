import { listEditorKeys, makeEditorKey, revokeEditorKey } from '@tidings/contracts/desk/people/editor-keys'
import { registerDesk } from '#features/desk/index.ts'
import type { App } from '#http/app-type.ts'
import type { KeyDesk } from './key-desk.service.ts'

/** Registers the editor keys, for owners. */
export function registerKeyDesk(app: App, keys: KeyDesk): void {
  registerDesk(app, listEditorKeys, () => keys.list())
  registerDesk(app, makeEditorKey, ({ requester, body }) => keys.make(requester, body))
  registerDesk(app, revokeEditorKey, ({ requester, params }) => keys.revoke(requester, params.id))
}
