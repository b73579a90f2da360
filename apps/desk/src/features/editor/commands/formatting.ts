import { lift, setBlockType, wrapIn } from 'prosemirror-commands'
import type { NodeType } from 'prosemirror-model'
import { liftListItem, wrapInList } from 'prosemirror-schema-list'
import type { Command, EditorState } from 'prosemirror-state'
import { markType, schema } from '../document/schema.ts'
import { withLines, withParagraphs } from './lines.ts'

const { blockquote, h2, h3, li, line, ol, p, ul } = schema.nodes

/** Returns whether all selected words are in one of the elements. */
export function hasMark({ doc, selection, storedMarks }: EditorState, tags: readonly string[]): boolean {
  const { empty, from, to, $from } = selection
  if (empty) return (storedMarks ?? $from.marks()).some(({ type }) => tags.includes(type.name))
  let isMissing = false
  doc.nodesBetween(from, to, (node) => {
    if (node.isText && !node.marks.some(({ type }) => tags.includes(type.name))) isMissing = true
  })
  return !isMissing
}

/** Adds or removes an emphasis. `tags` are the elements that mean it, the one to add first. */
export function toggleEmphasis(tags: readonly [string, ...string[]]): Command {
  return (state, dispatch) => {
    const { empty, from, to, $from } = state.selection
    if (!$from.parent.inlineContent && empty) return false
    const isOn = hasMark(state, tags)
    const change = state.tr
    const added = markType(tags[0])
    if (empty) {
      for (const tag of tags) change.removeStoredMark(markType(tag))
      if (!isOn) change.addStoredMark(added.create())
    } else {
      for (const tag of tags) change.removeMark(from, to, markType(tag))
      if (!isOn) change.addMark(from, to, added.create())
    }
    dispatch?.(change.scrollIntoView())
    return true
  }
}

export const toggleBold = toggleEmphasis(['strong', 'b'])
export const toggleItalic = toggleEmphasis(['em', 'i'])

/** Returns whether the selection is inside a node of the type. */
export function isInside({ selection }: EditorState, type: NodeType): boolean {
  const { $from } = selection
  for (let depth = $from.depth; depth > 0; depth--) if ($from.node(depth).type === type) return true
  return false
}

/** Returns the type and the place of the innermost list around the selection. */
export function listAround({ selection }: EditorState): { type: NodeType; position: number } | null {
  const { $from } = selection
  for (let depth = $from.depth; depth > 0; depth--) {
    const { type } = $from.node(depth)
    if (type === ul || type === ol) return { type, position: $from.before(depth) }
  }
  return null
}

/** Makes a list, changes its kind, or takes its items out. */
function toggleList(type: NodeType): Command {
  return (state, dispatch, view) => {
    const list = listAround(state)
    if (list === null) return withLines(wrapInList(type))(state, dispatch, view)
    if (list.type === type) return withParagraphs(liftListItem(li))(state, dispatch, view)
    dispatch?.(state.tr.setNodeMarkup(list.position, type))
    return true
  }
}

export const toggleBullets = toggleList(ul)
export const toggleNumbers = toggleList(ol)

/** Makes a quote, or takes the words out of it. */
export const toggleQuote: Command = (state, dispatch, view) =>
  isInside(state, blockquote)
    ? withParagraphs(lift)(state, dispatch, view)
    : withParagraphs(wrapIn(blockquote))(state, dispatch, view)

/** Makes a heading, or a paragraph of it. */
export const toggleHeading: Command = (state, dispatch, view) => {
  const { parent } = state.selection.$from
  if (parent.type !== h2 && parent.type !== h3) return setBlockType(h2)(state, dispatch, view)
  return setBlockType(isInside(state, li) ? line : p)(state, dispatch, view)
}
