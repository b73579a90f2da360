import { type Command, TextSelection } from 'prosemirror-state'
import { isInTable, toggleHeaderRow } from 'prosemirror-tables'
import { schema } from '../document/schema.ts'
import { isInside } from './formatting.ts'

const { caption, li, table_box: box } = schema.nodes

/** Inserts a table of two rows and two columns after the block. */
export const insertTable: Command = (state, dispatch) => {
  const { $to } = state.selection
  if (isInTable(state) || isInside(state, caption)) return false
  const row = () => schema.node('tr', null, [cell(), cell()])
  const table = schema.node('table_box', null, [schema.node('table', null, [row(), row()])])
  const isEmpty = $to.parent.content.size === 0 && !isInside(state, li)
  const end = $to.depth > 0 ? $to.after() : $to.pos
  const start = isEmpty && $to.depth > 0 ? $to.before() : end
  if (dispatch) {
    const change = state.tr.replaceRangeWith(start, end, table)
    dispatch(change.setSelection(TextSelection.near(change.doc.resolve(start + 1))).scrollIntoView())
  }
  return true
}

function cell() {
  return schema.node('td', null, [schema.node('line')])
}

/** Deletes the table around the selection, with its caption. */
export const deleteTable: Command = (state, dispatch) => {
  const { $from } = state.selection
  for (let depth = $from.depth; depth > 0; depth--) {
    if ($from.node(depth).type !== box) continue
    const parent = $from.node(depth - 1)
    const start = $from.before(depth)
    const change = state.tr
    if (parent.childCount === 1) change.replaceWith(start, $from.after(depth), schema.node('p'))
    else change.delete(start, $from.after(depth))
    dispatch?.(change.setSelection(TextSelection.near(change.doc.resolve(start))).scrollIntoView())
    return true
  }
  return false
}

/** Makes the first row a header row, or an ordinary one. Its cells and its section change together. */
export const changeHeaderRow: Command = (state, dispatch, view) =>
  toggleHeaderRow(
    state,
    dispatch &&
      ((change) => {
        const { $from } = change.selection
        for (let depth = $from.depth; depth > 0; depth--) {
          const table = $from.node(depth)
          const first = table.firstChild
          if (table.type !== schema.nodes.table || first === null) continue
          const isHeader = first.firstChild?.type === schema.nodes.th
          const section = isHeader ? 'thead' : 'tbody'
          change.setNodeMarkup($from.start(depth), null, {
            ...first.attrs,
            section,
            sectionHtml: {},
            part: 0,
          })
          break
        }
        dispatch(change)
      }),
    view,
  )
