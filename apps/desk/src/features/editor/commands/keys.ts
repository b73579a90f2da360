import {
  baseKeymap,
  chainCommands,
  createParagraphNear,
  deleteSelection,
  exitCode,
  joinBackward,
  liftEmptyBlock,
  selectNodeBackward,
  splitBlock,
} from 'prosemirror-commands'
import { redo, undo } from 'prosemirror-history'
import { undoInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list'
import type { Command, Plugin } from 'prosemirror-state'
import { goToNextCell } from 'prosemirror-tables'
import { schema } from '../document/schema.ts'
import {
  listAround,
  toggleBold,
  toggleBullets,
  toggleEmphasis,
  toggleItalic,
  toggleNumbers,
  toggleQuote,
} from './formatting.ts'
import { withParagraphs } from './lines.ts'

const { br, li } = schema.nodes

const breakLine: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(br.create()).scrollIntoView())
  return true
}

/** At the start of an item, Backspace takes it out of the list. */
const leaveList: Command = (state, dispatch, view) => {
  const { $from, empty } = state.selection
  if (!empty || $from.parentOffset > 0 || $from.depth < 2) return false
  if ($from.node(-1).type !== li || $from.index(-1) > 0 || listAround(state) === null) return false
  return withParagraphs(liftListItem(li))(state, dispatch, view)
}

/** The keys of a text. ⌘9 with Shift is a quote, as desk.md says; 7 is a list with numbers. */
export function textKeys(): Plugin[] {
  const enter = withParagraphs(
    chainCommands(splitListItem(li), createParagraphNear, liftEmptyBlock, splitBlock),
  )
  const backspace = withParagraphs(
    chainCommands(undoInputRule, deleteSelection, leaveList, joinBackward, selectNodeBackward),
  )
  return [
    keymap({
      'Mod-b': toggleBold,
      'Mod-i': toggleItalic,
      'Mod-u': toggleEmphasis(['u']),
      'Mod-Shift-7': toggleNumbers,
      'Mod-Shift-8': toggleBullets,
      'Mod-Shift-9': toggleQuote,
      'Mod-z': undo,
      'Mod-Shift-z': redo,
      'Mod-y': redo,
      Enter: enter,
      'Shift-Enter': chainCommands(exitCode, breakLine),
      Backspace: backspace,
      Tab: chainCommands(goToNextCell(1), sinkListItem(li)),
      'Shift-Tab': chainCommands(goToNextCell(-1), withParagraphs(liftListItem(li))),
    }),
    keymap(baseKeymap),
  ]
}
