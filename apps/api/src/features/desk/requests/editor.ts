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
  /** The session of a person. */
  session?: { id: string; provedAt: Date | null }
}

type TextStatus = 'draft' | 'scheduled' | 'published' | 'held'

/** Returns the scopes that roles stand for. */
export function scopesOf(roles: ReadonlySet<DeskRole>): Set<EditorScope> {
  const scopes = new Set<EditorScope>()
  for (const scope of ['read', 'write', 'publish'] as const) {
    if (rolesByScope[scope].some((role) => roles.has(role))) scopes.add(scope)
  }
  return scopes
}

/** The callers of an endpoint. */
export type AccessTerms = {
  readonly scope?: EditorScope | readonly EditorScope[]
  readonly roles: readonly DeskRole[]
  readonly peopleOnly?: boolean
  readonly path: string
}

/** Throws unless a key has one of the scopes, or a person one of the roles. */
export function requireAccess(editor: Editor, { scope = [], roles, peopleOnly, path }: AccessTerms): void {
  if (editor.kind === 'person') {
    if (roles.some((role) => editor.roles.has(role))) return
    const isWriter = editor.roles.has('writer') && path.endsWith('/publish')
    throw fail('role-missing', roles, isWriter ? 'publication by a writer' : 'other')
  }
  if (peopleOnly === true) throw fail('people-only')
  const [first, ...others] = [scope].flat()
  if (first !== undefined && !others.some((other) => editor.scopes.has(other))) requireScope(editor, first)
}

/** Requires the scope `publish` for a change of what readers see now or later, and `write` for drafts. */
export function requireScopeFor(editor: Editor, before: TextStatus, after: TextStatus = before): void {
  requireScope(editor, before === 'draft' && after === 'draft' ? 'write' : 'publish')
}

/** Throws unless the editor has the scope: by the key, or by the roles. */
export function requireScope(editor: Editor, scope: EditorScope): void {
  if (editor.scopes.has(scope)) return
  if (editor.kind === 'key') throw fail('scope-missing', scope)
  const isWriter = editor.roles.has('writer') && scope === 'publish'
  throw fail('role-missing', rolesByScope[scope], isWriter ? 'publication by a writer' : 'other')
}
