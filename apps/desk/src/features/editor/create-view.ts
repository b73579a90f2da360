import { history } from 'prosemirror-history'
import type { Node } from 'prosemirror-model'
import { EditorState, type Plugin } from 'prosemirror-state'
import { tableEditing } from 'prosemirror-tables'
import { EditorView } from 'prosemirror-view'
import { changesPlugin } from './changes/changes-plugin.ts'
import { textRules } from './commands/input-rules.ts'
import { textKeys } from './commands/keys.ts'
import { writeHtml } from './document/write-html.ts'
import { pastePlugin } from './paste/paste-plugin.ts'

/** Functions of the component that the view calls, at the time that it needs it. */
export type ViewHost = {
  onChange: (html: string) => void
  onState: (state: EditorState) => void
  onPasted: (message: string) => void
  onKey: (event: KeyboardEvent) => boolean
  attributes: () => Record<string, string>
  language: () => string
  isEditable: () => boolean
  /** The text that the shown one is compared with; null for none. */
  comparedWith: () => string | null
}

// Room below the caret, in CSS pixels: more than the foot of the screen or the toolbar covers. frame.css leaves the same.
const roomBelow = 96

// Longer than ProseMirror waits for the last change of a composition.
const compositionMs = 60

/**
 * Creates the editor in an element. Texts are reported after each change, but never in the middle of a composition, unless
 * the text is left in it. `close` removes the editor.
 */
export function createView(
  place: HTMLElement,
  doc: Node,
  host: ViewHost,
): { view: EditorView; close: () => void } {
  let isUnreported = false
  let isTyped = false
  const reportNow = () => {
    if (!isUnreported || view.isDestroyed) return
    isUnreported = false
    host.onChange(writeHtml(view.state.doc))
  }
  const report = () => {
    if (!view.composing) reportNow()
  }
  const view = new EditorView(
    { mount: place },
    {
      state: createState(doc, host),
      attributes: host.attributes,
      editable: host.isEditable,
      handleKeyDown: (_view, event) => {
        isTyped = false
        return host.onKey(event)
      },
      scrollThreshold: { top: 0, right: 0, bottom: roomBelow, left: 0 },
      scrollMargin: { top: 5, right: 5, bottom: roomBelow, left: 5 },
      // The browser has scrolled to a character that it inserted; ProseMirror would measure each element around it.
      handleScrollToSelection: () => isTyped,
      handleDOMEvents: {
        beforeinput: (_view, { inputType }) => {
          isTyped = inputType === 'insertText'
          return false
        },
        compositionend: () => {
          setTimeout(report, compositionMs)
          return false
        },
        blur: () => {
          reportNow()
          return false
        },
      },
      dispatchTransaction(change) {
        view.updateState(view.state.apply(change))
        isTyped = false
        isUnreported ||= change.docChanged
        report()
        host.onState(view.state)
      },
    },
  )
  const close = () => {
    reportNow()
    view.destroy()
  }
  return { view, close }
}

/** Returns the state of a text without changes. */
export function createState(doc: Node, host: ViewHost): EditorState {
  const plugins: Plugin[] = [
    pastePlugin({ language: host.language, onPasted: host.onPasted }),
    changesPlugin(host.comparedWith),
    textRules(),
    ...textKeys(),
    tableEditing(),
    history(),
  ]
  return EditorState.create({ doc, plugins })
}
