import { type DeskRole, type EditorScope, rolesByScope } from '@tidings/contracts/desk/desk'
import { fail } from '../desk.errors.ts'

/** The maker of a request: the key of a script with its scopes, or a person with the scopes of their roles. */
export type Editor = {
  kind: 'key' | 'person'
  id: string
  name: string
  scopes: ReadonlySet<EditorScope>
  /** Empty for a key. */
  roles: ReadonlySet<DeskRole>
}

/** Returns the scopes that roles stand for. */
export function scopesOf(roles: ReadonlySet<DeskRole>): Set<EditorScope> {
  const scopes = new Set<EditorScope>()
  for (const scope of ['read', 'write', 'publish'] as const) {
    if (rolesByScope[scope].some((role) => roles.has(role))) scopes.add(scope)
  }
  return scopes
}

/** Throws unless a key has the scope, or a person one of the roles. */
export function requireAccess(
  editor: Editor,
  { scope, roles }: { scope?: EditorScope; roles: readonly DeskRole[] },
): void {
  if (editor.kind === 'key') {
    if (scope !== undefined) requireScope(editor, scope)
  } else if (!roles.some((role) => editor.roles.has(role))) throw fail('role-missing', roles)
}

/** Throws unless the editor has the scope: by the key, or by the roles. */
export function requireScope(editor: Editor, scope: EditorScope): void {
  if (editor.scopes.has(scope)) return
  throw editor.kind === 'key' ? fail('scope-missing', scope) : fail('role-missing', rolesByScope[scope])
}
