import type { Command } from 'prosemirror-state'
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow } from 'prosemirror-tables'
import type { EditorView } from 'prosemirror-view'
import { type KeyboardEvent, type RefObject, useLayoutEffect } from 'react'
import {
  toggleBold,
  toggleBullets,
  toggleHeading,
  toggleItalic,
  toggleNumbers,
  toggleQuote,
} from '../commands/formatting.ts'
import { changeHeaderRow, deleteTable, insertTable } from '../commands/table.ts'
import { placeToolbar } from './place-toolbar.ts'
import type { ToolbarState } from './toolbar-state.ts'

type Item = { name: string; text: string; run: Command; isOn?: boolean; className?: string; isOff?: boolean }

type Props = {
  view: EditorView
  state: ToolbarState
  isForced: boolean
  toolbar: RefObject<HTMLDivElement | null>
  onLink: () => void
}

/** Shows what can be done with the selected words. Arrow keys move in it; Escape goes back to the text. */
export function Toolbar({ view, state, isForced, toolbar, onLink }: Props) {
  const isOpen = state.isOpen || isForced
  // Measuring makes the browser lay the page out, which a key in a long text shouldn't wait for.
  useLayoutEffect(() => {
    if (isOpen) placeToolbar(toolbar.current, view)
  })
  const link: Command = () => {
    onLink()
    return true
  }
  const groups = [...textGroups(state, link), state.isInTable ? tableItems : [insertItem]]
  return (
    <div
      ref={toolbar}
      role="toolbar"
      aria-label="Format"
      className="editor-toolbar"
      data-open={isOpen || undefined}
      onKeyDown={(event) => moveFocus(event, view)}
    >
      {groups.map((group) => (
        <div key={group[0]?.name} className="editor-group">
          {group.map((item) => (
            <ToolbarButton key={item.name} item={item} view={view} />
          ))}
        </div>
      ))}
    </div>
  )
}

function ToolbarButton({ item, view }: { item: Item; view: EditorView }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={item.name.startsWith(item.text) ? item.name : `${item.text} ${item.name}`}
      aria-pressed={item.isOn}
      disabled={item.isOff}
      className={item.className}
      // The selection stays in the text.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => {
        view.focus()
        item.run(view.state, view.dispatch, view)
      }}
    >
      {item.text}
    </button>
  )
}

const insertItem: Item = { name: 'Table', text: 'Table', run: insertTable }

const tableItems: Item[] = [
  { name: 'Add row', text: 'Add row', run: addRowAfter },
  { name: 'Delete row', text: 'Delete row', run: deleteRow },
  { name: 'Add column', text: 'Add column', run: addColumnAfter },
  { name: 'Delete column', text: 'Delete column', run: deleteColumn },
  { name: 'Header row', text: 'Header row', run: changeHeaderRow },
  { name: 'Delete table', text: 'Delete table', run: deleteTable },
]

function textGroups(state: ToolbarState, link: Command): Item[][] {
  return [
    [
      { name: 'Bold', text: 'B', run: toggleBold, isOn: state.isBold, className: 'editor-bold' },
      { name: 'Italic', text: 'I', run: toggleItalic, isOn: state.isItalic, className: 'editor-italic' },
      { name: 'Link', text: 'Link', run: link, isOn: state.isLink, isOff: !state.canLink },
    ],
    [
      { name: 'List', text: 'List', run: toggleBullets, isOn: state.list === 'ul' },
      { name: 'Numbered list', text: '1. 2.', run: toggleNumbers, isOn: state.list === 'ol' },
      { name: 'Quote', text: 'Quote', run: toggleQuote, isOn: state.isQuote },
    ],
    [{ name: 'Heading', text: 'Heading', run: toggleHeading, isOn: state.isHeading }],
  ]
}

function moveFocus(event: KeyboardEvent<HTMLDivElement>, view: EditorView): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button:enabled')]
  const index = buttons.findIndex((button) => button.matches(':focus'))
  const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[event.key]
  if (event.key === 'Escape') view.focus()
  else if (next === undefined) return
  else buttons.at(next % buttons.length)?.focus()
  event.preventDefault()
  event.stopPropagation()
}
