import { limits } from '@tidings/contracts/limits'
import { hasVisibleText } from '@tidings/contracts/membership/typed-text'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { errorText } from '#lib/api/error-text.ts'
import { offlineText, useIsOnline } from '#lib/connection.ts'
import { type DraftName, findDraft, removeDrafts, saveDraft } from '#lib/member-session/member-drafts.ts'
import { useServices } from '#lib/services.tsx'

type WriteFormProps = {
  label: string
  action: string
  /** The text to change; a form with one, or with a way to cancel, takes the focus. */
  text?: string
  /** Under whose name the text is kept until their session ends, such as over a reload. */
  draft?: DraftName
  onType?: () => void
  onSubmit: (text: string) => Promise<void>
  onCancel?: () => void
}

const emptyText = 'Write something first.'
const countFrom = limits.commentCharacters - 500

/** Writes or edits a comment. The text stays until the server has stored it. */
export function WriteForm({ label, action, draft, onType, onSubmit, onCancel, ...given }: WriteFormProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const isOnline = useIsOnline()
  const { sessionStore } = useServices()
  const [text, setText] = useState(() => storedDraft() ?? given.text ?? '')
  const [message, setMessage] = useState('')
  const [isBusy, setBusy] = useState(false)
  const takesFocus = onCancel !== undefined
  const writer = draft?.member

  function storedDraft(): string | null {
    return draft === undefined ? null : findDraft(sessionStore, draft)
  }

  function change(next: string) {
    setText(next)
    if (draft !== undefined) saveDraft(sessionStore, draft, next)
  }

  useEffect(() => {
    if (writer !== undefined) removeDrafts(sessionStore, { except: writer })
  }, [writer, sessionStore])

  useEffect(() => {
    if (takesFocus) field.current?.focus()
  }, [takesFocus])

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    if (!hasVisibleText(text)) {
      setMessage(emptyText)
      field.current?.focus()
      return
    }
    setBusy(true)
    setMessage('')
    try {
      await onSubmit(text)
      change('')
    } catch (error) {
      setMessage(errorText(error))
    } finally {
      setBusy(false)
    }
  }

  const left = limits.commentCharacters - text.length
  return (
    <form className="write-form" onSubmit={(event) => void submit(event)} noValidate aria-busy={isBusy}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        ref={field}
        dir="auto"
        rows={3}
        maxLength={limits.commentCharacters}
        value={text}
        aria-invalid={message === emptyText}
        aria-describedby={`${id}-message`}
        onChange={(event) => {
          change(event.target.value)
          if (message !== emptyText || hasVisibleText(event.target.value)) setMessage('')
          onType?.()
        }}
      />
      <p className="comments-status" id={`${id}-message`} role="status" data-error={message !== ''}>
        {message === '' && !isOnline ? offlineText : message}
        {message === '' && text.length > countFrom ? `${left} characters left` : ''}
      </p>
      <div className="comment-actions">
        <button type="submit" className="button" aria-disabled={isBusy}>
          {isBusy ? 'Please wait...' : action}
        </button>
        {onCancel === undefined ? null : (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
      </div>
    </form>
  )
}
