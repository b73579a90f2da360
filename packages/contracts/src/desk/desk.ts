import { z } from 'zod'

/** Scopes of an editor key: `read` sees drafts, `write` changes them, `publish` makes them public. */
export const editorScope = z.enum(['read', 'write', 'publish'])
export type EditorScope = z.infer<typeof editorScope>

/** Roles of people at the desk; a person may have several. */
export const deskRole = z.enum(['writer', 'moderator', 'editor', 'owner'])
export type DeskRole = z.infer<typeof deskRole>

/** The roles that may do what needs a scope. */
export const rolesByScope = {
  read: ['writer', 'moderator', 'editor', 'owner'],
  write: ['writer', 'editor', 'owner'],
  publish: ['editor', 'owner'],
} as const satisfies Record<EditorScope, readonly DeskRole[]>

/** The tags, attributes and links that cleaning removed from one HTML field. */
const removedHtml = z.object({
  field: z.string(),
  removed: z
    .array(z.string())
    .describe(
      'Tags such as <script>, attributes such as style, and links to no http, https or mailto address',
    ),
})
export type RemovedHtml = z.infer<typeof removedHtml>

/** Returns the schema of the reply to a write with HTML fields: `{ "data": …, "removed": […] }`. */
export function dataWithRemoved<T extends z.ZodType>(data: T) {
  return z.object({
    data,
    removed: z.array(removedHtml).describe('What cleaning removed, by field; empty when it removed nothing'),
  })
}
