import type { EditorState } from 'prosemirror-state'
import { isInTable } from 'prosemirror-tables'
import { hasMark, isInside, listAround } from '../commands/formatting.ts'
import { linkTarget } from '../commands/link.ts'
import { schema } from '../document/schema.ts'

/** The toolbar at a selection. */
export type ToolbarState = {
  /** Whether words are selected, or the caret is in a table. */
  isOpen: boolean
  isBold: boolean
  isItalic: boolean
  isLink: boolean
  canLink: boolean
  list: 'ul' | 'ol' | null
  isQuote: boolean
  isHeading: boolean
  isInTable: boolean
}

/** Returns what the toolbar shows. */
export function toolbarState(state: EditorState): ToolbarState {
  const { blockquote, h2, h3, ol } = schema.nodes
  const list = listAround(state)
  const { parent } = state.selection.$from
  const inTable = isInTable(state)
  const target = linkTarget(state)
  return {
    isOpen: !state.selection.empty || inTable,
    isBold: hasMark(state, ['strong', 'b']),
    isItalic: hasMark(state, ['em', 'i']),
    isLink: target !== null && target.href !== '',
    canLink: target !== null,
    list: list === null ? null : list.type === ol ? 'ol' : 'ul',
    isQuote: isInside(state, blockquote),
    isHeading: parent.type === h2 || parent.type === h3,
    isInTable: inTable,
  }
}

/** Returns whether both show the same. */
export function isSameState(one: ToolbarState, other: ToolbarState): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
