import type { Mark, Node } from 'prosemirror-model'
import { schema } from './schema.ts'

/** Words with the elements around them; without a text, a line break. */
type Piece = { text: string | null; marks: readonly Mark[] }

/** Words and line breaks that follow each other. */
export type Run = Piece[]

const space = /[ \t\n\r\f]+/g

/** Returns the nodes of a run. White space is what browsers show of it. */
export function readInline(run: Run): Node[] {
  const kept: Run = []
  let isAfterSpace = true
  for (const { text, marks } of run) {
    if (text === null) {
      dropLastSpace(kept)
      kept.push({ text, marks })
      isAfterSpace = true
      continue
    }
    let shown = text.replaceAll(space, ' ')
    if (isAfterSpace && shown.startsWith(' ')) shown = shown.slice(1)
    if (shown === '') continue
    kept.push({ text: shown, marks })
    isAfterSpace = shown.endsWith(' ')
  }
  dropLastSpace(kept)
  return kept.map(({ text, marks }) =>
    text === null ? schema.node('br', null, undefined, marks) : schema.text(text, marks),
  )
}

function dropLastSpace(run: Run): void {
  const last = run.pop()
  if (last === undefined) return
  if (last.text === null || !last.text.endsWith(' ')) run.push(last)
  else if (last.text !== ' ') run.push({ text: last.text.slice(0, -1), marks: last.marks })
}
