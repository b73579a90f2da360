import { schema } from '../document/schema.ts'
import { writeHtml } from '../document/write-html.ts'
import type { Clipboard } from './clipboard-data.ts'
import { readClipboard } from './read-clipboard.ts'

/** Returns what a program put on the clipboard as a text of its own, and how many pictures are left out. */
export function pastedHtml(clipboard: Clipboard, language: string): { html: string; pictures: number } {
  const { slice, pictures } = readClipboard(clipboard, language)
  return { html: writeHtml(schema.node('doc', null, slice.content)), pictures }
}
