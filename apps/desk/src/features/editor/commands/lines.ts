import type { Command, Transaction } from 'prosemirror-state'
import { schema } from '../document/schema.ts'

const { doc, blockquote, heading_blocks: headingBlocks, li, line, p } = schema.nodes

/** After the command, words that left their list are paragraphs. */
export function withParagraphs(command: Command): Command {
  return after(command, (change) => {
    const { from, to } = change.selection
    change.doc.nodesBetween(from, to, (node, position, parent) => {
      const isOutside = parent !== null && [doc, blockquote, headingBlocks].includes(parent.type)
      if (node.type === line && isOutside) change.setNodeMarkup(position, p)
    })
  })
}

/** After the command, the only paragraph of a list item is its words. */
export function withLines(command: Command): Command {
  return after(command, (change) => {
    const { from, to } = change.selection
    change.doc.nodesBetween(from, to, (node, position, parent) => {
      const isPlain = node.type === p && Object.keys(node.attrs.html).length === 0
      if (isPlain && parent?.type === li && parent.childCount === 1) change.setNodeMarkup(position, line)
    })
  })
}

function after(command: Command, change: (transaction: Transaction) => void): Command {
  return (state, dispatch, view) =>
    command(
      state,
      dispatch &&
        ((transaction) => {
          change(transaction)
          dispatch(transaction)
        }),
      view,
    )
}
