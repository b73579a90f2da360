import type { DeskRole } from '@tidings/contracts/desk/desk'

const deeds: Record<DeskRole, string> = {
  owner: 'Owner: everything, and who is here',
  editor: 'Editor: write, publish, send, moderate',
  writer: 'Writer: write and say “ready”',
  moderator: 'Moderator: hide and keep comments',
}
const order = ['owner', 'editor', 'writer', 'moderator'] as const

/** Returns the roles of an invitation with what they may do: an owner may do all. */
export function roleDeeds(given: readonly DeskRole[]): string[] {
  const [owner, editor, ...others] = order
  const shown = given.includes(owner) ? [owner] : given.includes(editor) ? [editor] : others
  return shown.filter((role) => given.includes(role)).map((role) => deeds[role])
}
