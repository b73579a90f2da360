import './editor.css'
import { type FocusEvent, useEffect, useRef, useState } from 'react'
import { type LinkTarget, linkTarget, removeLink, setLink } from './commands/link.ts'
import type { ViewHost } from './create-view.ts'
import type { TextEditorProps } from './editor-props.ts'
import { LinkDialog } from './toolbar/link-dialog.tsx'
import { followKeyboard } from './toolbar/place-toolbar.ts'
import { Toolbar } from './toolbar/toolbar.tsx'
import { isSameState, type ToolbarState, toolbarState } from './toolbar/toolbar-state.ts'
import { useEditorView } from './use-editor-view.ts'

const rightToLeft = /^(?:ar|dv|fa|he|ps|sd|ug|ur|yi)\b/i

/** Edits the text of a memo or an article. What it reports is what the API stores. */
export function RichText({
  html,
  resetKey,
  onChange,
  label,
  language,
  id,
  isReadOnly = false,
  comparedWith = null,
}: TextEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const toolbar = useRef<HTMLDivElement>(null)
  const [bar, setBar] = useState<ToolbarState | null>(null)
  const [isFocused, setIsFocused] = useState(false)
  const [isForced, setIsForced] = useState(false)
  const [message, setMessage] = useState('')
  const [link, setLinkOf] = useState<LinkTarget | null>(null)
  const host: ViewHost = {
    onChange,
    onState: (state) => {
      const next = toolbarState(state)
      // An open toolbar follows the selection.
      if (bar === null || next.isOpen || !isSameState(bar, next)) setBar(next)
      if (isForced) setIsForced(false)
    },
    onPasted: setMessage,
    onKey: (event) => {
      const isLinkKey = (event.metaKey || event.ctrlKey) && event.key === 'k'
      if (event.altKey && event.key === 'F10') setIsForced(true)
      else if (!isLinkKey || !openLink()) return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
    language: () => (language === '' ? 'en' : language),
    isEditable: () => !isReadOnly,
    comparedWith: () => comparedWith,
    attributes: () => attributesOf({ label, language, id, isReadOnly }),
  }
  const view = useEditorView(place, { html, resetKey }, host)
  const isShown = view !== null && isFocused && !isReadOnly
  useEffect(() => {
    if (isForced) toolbar.current?.querySelector('button')?.focus()
  }, [isForced])
  useEffect(() => {
    if (isShown && toolbar.current !== null) return followKeyboard(toolbar.current)
  }, [isShown])

  useEffect(() => {
    // Only without the dialog can the text take the focus.
    if (link !== null) return () => view?.focus()
  }, [link, view])

  function openLink(): boolean {
    const target = view === null ? null : linkTarget(view.state)
    setLinkOf(target)
    return target !== null
  }
  const closeLink = () => setLinkOf(null)
  const onFocus = () => {
    setIsFocused(true)
    if (view !== null && bar === null) setBar(toolbarState(view.state))
  }
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLDivElement>) => {
    if (currentTarget.contains(relatedTarget)) return
    setIsFocused(false)
    setIsForced(false)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the text and its toolbar have the focus, not this element
    <div className="editor" onFocus={onFocus} onBlur={onBlur}>
      {isShown && bar !== null && (
        <Toolbar view={view} state={bar} isForced={isForced} toolbar={toolbar} onLink={openLink} />
      )}
      <div ref={place} />
      <p role="status" className="meta editor-message">
        {message}
      </p>
      {link !== null && view !== null && (
        <LinkDialog
          target={link}
          onClose={closeLink}
          onSet={(set) => {
            view.dispatch(setLink(view.state, link, set))
            closeLink()
          }}
          onRemove={() => {
            view.dispatch(removeLink(view.state, link))
            closeLink()
          }}
        />
      )}
    </div>
  )
}

function attributesOf({
  label,
  language,
  id,
  isReadOnly = false,
}: Pick<TextEditorProps, 'label' | 'language' | 'isReadOnly'> & { id: string | undefined }): Record<
  string,
  string
> {
  return {
    class: 'editor-text',
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-label': label,
    ...(language !== '' && { lang: language, dir: rightToLeft.test(language) ? 'rtl' : 'ltr' }),
    ...(isReadOnly && { 'aria-readonly': 'true' }),
    spellcheck: 'true',
    ...(id !== undefined && { id }),
  }
}
