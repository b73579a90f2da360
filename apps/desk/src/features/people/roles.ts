import type { DeskRole, EditorScope } from '@tidings/contracts/desk/desk'

/** The roles, from the one that may do least. */
export const roles = ['writer', 'moderator', 'editor', 'owner'] as const satisfies readonly DeskRole[]

export const roleNames: Record<DeskRole, string> = {
  writer: 'Writer',
  moderator: 'Moderator',
  editor: 'Editor',
  owner: 'Owner',
}

/** The scopes of a key, and what each is for. */
export const scopes = ['read', 'write', 'publish'] as const satisfies readonly EditorScope[]

export const scopeNames: Record<EditorScope, string> = { read: 'Read', write: 'Write', publish: 'Publish' }

/** Returns `Writer and Moderator`. */
export function rolesText(given: readonly DeskRole[]): string {
  return new Intl.ListFormat('en').format(
    roles.filter((role) => given.includes(role)).map((role) => roleNames[role]),
  )
}

/** Returns the list with a value added or taken out. */
export function toggled<T>(list: readonly T[], value: T): T[] {
  return list.includes(value) ? list.filter((each) => each !== value) : [...list, value]
}
