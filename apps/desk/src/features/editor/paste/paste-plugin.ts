import { Plugin, Selection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { leftOut, readData } from './clipboard-data.ts'
import { readClipboard } from './read-clipboard.ts'

type Options = { language: () => string; onPasted: (message: string) => void }

/** Reads the clipboard and what is dropped through the normalizer. With Shift, only the words are pasted. */
export function pastePlugin({ language, onPasted }: Options): Plugin {
  let isPlain = false
  return new Plugin({
    props: {
      // ProseMirror's own handlers parse HTML before other props see it.
      handleDOMEvents: {
        keydown: (_view, event) => {
          isPlain = event.shiftKey && event.key.toLowerCase() === 'v'
          return false
        },
        paste: (view, event) => {
          const data = event.clipboardData
          if (data === null) return false
          event.preventDefault()
          onPasted(insert(view, event, data, { language: language(), isPlain }))
          isPlain = false
          return true
        },
        drop: (view, event) => {
          if (view.dragging !== null || event.dataTransfer === null) return false
          event.preventDefault()
          const at = view.posAtCoords({ left: event.clientX, top: event.clientY })
          if (at === null) return true
          view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(at.pos))))
          onPasted(insert(view, null, event.dataTransfer, { language: language(), isPlain: false }))
          view.focus()
          return true
        },
      },
    },
  })
}

type How = { language: string; isPlain: boolean }

/** Inserts the data and returns what was left out of it. */
function insert(view: EditorView, event: ClipboardEvent | null, data: DataTransfer, how: How): string {
  const clipboard = readData(data)
  const { slice, pictures } = readClipboard(
    how.isPlain ? { ...clipboard, html: '' } : clipboard,
    how.language,
  )
  // Tables take cells into their cells.
  const isTaken = event !== null && view.someProp('handlePaste', (handle) => handle(view, event, slice))
  if (isTaken !== true && slice.size > 0) {
    const change = view.state.tr.replaceSelection(slice).scrollIntoView()
    view.dispatch(change.setMeta('paste', true).setMeta('uiEvent', 'paste'))
  }
  return leftOut(pictures)
}
