import { limits } from '@tidings/contracts/limits'
import { hasVisibleText } from '@tidings/contracts/membership/typed-text'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { errorText } from '#lib/api/error-text.ts'
import { offlineText, useIsOnline } from '#lib/browser/connection.ts'
import { type DraftName, findDraft, removeDrafts, saveDraft } from '#lib/member/member-drafts.ts'
import { useServices } from '#lib/services/services.tsx'

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

const countFrom = limits.commentCharacters - 500

/** Returns what the server would refuse a comment for; null if nothing. */
function problemOf(text: string): string | null {
  if (!hasVisibleText(text)) return 'Write something first.'
  const over = text.length - limits.commentCharacters
  return over > 0 ? `Shorten your comment by ${over} ${over === 1 ? 'character' : 'characters'}.` : null
}

/** Writes or edits a comment. The text stays until the server has stored it. */
export function WriteForm({ label, action, draft, onType, onSubmit, onCancel, ...given }: WriteFormProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const isOnline = useIsOnline()
  const { sessionStore } = useServices()
  const [text, setText] = useState(() => storedDraft() ?? given.text ?? '')
  const [problem, setProblem] = useState<string | null>(null)
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
    const wrong = problemOf(text)
    if (wrong !== null) {
      setProblem(wrong)
      setMessage('')
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

  const shown = problem ?? message
  const left = limits.commentCharacters - text.length
  return (
    <form className="write-form" onSubmit={(event) => void submit(event)} noValidate aria-busy={isBusy}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        ref={field}
        dir="auto"
        rows={3}
        value={text}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-message`}
        onChange={(event) => {
          change(event.target.value)
          setMessage('')
          if (problem !== null) setProblem(problemOf(event.target.value))
          onType?.()
        }}
      />
      <p className="comments-status" id={`${id}-message`} role="status" data-error={shown !== ''}>
        {shown === '' && !isOnline ? offlineText : shown}
        {shown === '' && text.length > countFrom && left >= 0 ? `${left} characters left` : ''}
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
