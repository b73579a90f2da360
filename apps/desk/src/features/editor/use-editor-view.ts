import type { EditorView } from 'prosemirror-view'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { createState, createView, type ViewHost } from './create-view.ts'
import { parseStored } from './paste/read-clipboard.ts'

type Text = { html: string; resetKey: string | number | undefined }

/** Creates the editor's view in an element, and shows another text there only when its key changes. */
export function useEditorView(
  place: RefObject<HTMLDivElement | null>,
  { html, resetKey }: Text,
  host: ViewHost,
): EditorView | null {
  const [view, setView] = useState<EditorView | null>(null)
  const shownKey = useRef(resetKey)
  const latest = useRef({ html, host })
  useLayoutEffect(() => {
    latest.current = { html, host }
    // The name and the language of the text may be others.
    view?.setProps({ attributes: host.attributes() })
  })
  // The text is there in the first frame, so that nothing below it jumps.
  useLayoutEffect(() => {
    if (place.current === null) return
    const created = createView(place.current, parseStored(latest.current.html), followHost(latest))
    setView(created.view)
    return () => {
      created.close()
      setView(null)
    }
  }, [place])
  // A key in between would report the earlier text in the name of the new one.
  useLayoutEffect(() => {
    if (view === null || shownKey.current === resetKey) return
    shownKey.current = resetKey
    view.updateState(createState(parseStored(latest.current.html), followHost(latest)))
  }, [view, resetKey])
  return view
}

/** The view stays the same while its component gives it other functions. */
function followHost(latest: RefObject<{ host: ViewHost }>): ViewHost {
  return {
    onChange: (html) => latest.current.host.onChange(html),
    onState: (state) => latest.current.host.onState(state),
    onPasted: (message) => latest.current.host.onPasted(message),
    onKey: (event) => latest.current.host.onKey(event),
    attributes: () => latest.current.host.attributes(),
    language: () => latest.current.host.language(),
    comparedWith: () => latest.current.host.comparedWith(),
    isEditable: () => latest.current.host.isEditable(),
  }
}
