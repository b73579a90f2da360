import type { Mark, Node } from 'prosemirror-model'
import { type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { markType } from '../document/schema.ts'

/** The words that a link is about, and where it leads: empty for a new one. */
export type LinkTarget = { from: number; to: number; text: string; href: string }

const link = markType('a')

/** Returns the selected words or the link around the caret; null without either. */
export function linkTarget({ doc, selection }: EditorState): LinkTarget | null {
  const { $from, from, to, empty } = selection
  if (!$from.parent.inlineContent || !$from.sameParent(selection.$to)) return null
  if (!empty) {
    const mark = linkIn(doc, from, to)
    return { from, to, text: doc.textBetween(from, to, ' ', ' '), href: mark?.attrs.html.href ?? '' }
  }
  const mark = link.isInSet($from.marks()) ?? link.isInSet($from.nodeAfter?.marks ?? [])
  if (mark === undefined) return null
  const range = rangeOf(mark, $from.parent, $from.parentOffset)
  const start = $from.start() + range.start
  const end = $from.start() + range.end
  return { from: start, to: end, text: doc.textBetween(start, end, ' ', ' '), href: mark.attrs.html.href }
}

function linkIn(doc: Node, from: number, to: number): Mark | undefined {
  let found: Mark | undefined
  doc.nodesBetween(from, to, (node) => {
    found ??= link.isInSet(node.marks)
  })
  return found
}

/** Returns where the pieces of the link around an offset begin and end. */
function rangeOf(mark: Mark, parent: Node, at: number): { start: number; end: number } {
  let range = { start: at, end: at }
  let start = 0
  let isFound = false
  parent.forEach((node, offset) => {
    const end = offset + node.nodeSize
    if (!mark.isInSet(node.marks)) start = end
    else if (!isFound || offset === range.end) {
      if (end >= at && start <= at) {
        range = { start, end }
        isFound = true
      }
    }
  })
  return range
}

/** Returns the change that sets a link with its words. */
export function setLink(
  state: EditorState,
  target: LinkTarget,
  { href, text }: { href: string; text: string },
): Transaction {
  const change = state.tr
  let { to } = target
  if (text !== '' && text !== target.text) {
    change.insertText(text, target.from, to)
    to = target.from + text.length
  }
  change.removeMark(target.from, to, link).addMark(target.from, to, link.create({ html: { href } }))
  return change.setSelection(TextSelection.create(change.doc, to)).removeStoredMark(link).scrollIntoView()
}

/** Returns the change that leaves only the words of a link. */
export function removeLink(state: EditorState, { from, to }: LinkTarget): Transaction {
  return state.tr.removeMark(from, to, link).scrollIntoView()
}

/** Returns the address that a person means; null if it is none. */
export function addressOf(typed: string): string | null {
  const text = typed.trim()
  if (/^[^\s@/:]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return `mailto:${text}`
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`)
  if (url === null || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return null
  if (url.username !== '' || url.password !== '') return null
  if (url.protocol === 'mailto:') return url.href
  return url.hostname.includes('.') ? url.href : null
}
