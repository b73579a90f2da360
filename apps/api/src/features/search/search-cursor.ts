import { z } from 'zod'
import { invalidField } from '#platform/fields.ts'
import { parseJson } from '#platform/parse-json.ts'

/** The last result of a page, in the order of the results. */
export type SearchPosition = { rank: number; at: Date; id: string }

const stored = z.tuple([z.number().min(0), z.iso.datetime(), z.uuid()])

/** Formats a position for the `next` of a page. */
export function formatCursor({ rank, at, id }: SearchPosition): string {
  return Buffer.from(JSON.stringify([rank, at.toISOString(), id])).toString('base64url')
}

/** Parses `after`. Throws `invalid-request`. */
export function parseCursor(text: string): SearchPosition {
  const found = stored.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
  if (!found.success) throw invalidField('after', "must be the 'next' of the page before")
  const [rank, at, id] = found.data
  return { rank, at: new Date(at), id }
}
