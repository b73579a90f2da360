import { useMutation } from '@tanstack/react-query'
import { limits } from '@tidings/contracts/limits'
import { messages } from '@tidings/contracts/membership/messages'
import { hasVisibleText } from '@tidings/contracts/membership/typed-text'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { errorText } from '#lib/api/error-text.ts'
import { useServices } from '#lib/services/services.tsx'
import type { Comment } from './comment-queries.ts'

const emptyText = 'Say in a few words why.'

/** Reports another member's comment to the editors, with a reason. */
export function Report({ comment }: { comment: Comment }) {
  const { memberSession } = useServices()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const report = useMutation({
    mutationFn: async (reason: string) => {
      const client = await memberSession.getClient()
      const { id } = comment.value
      return comment.kind === 'post'
        ? await client.reportPost({ postId: id, reason })
        : await client.reportThread({ threadId: id, reason })
    },
  })

  function close() {
    setOpen(false)
    // The button is back in the page after the next render.
    setTimeout(() => button.current?.focus())
  }

  return (
    <>
      {isOpen ? (
        <ReportForm
          onCancel={close}
          onSubmit={async (reason) => {
            await report.mutateAsync(reason)
            close()
          }}
        />
      ) : (
        <button
          type="button"
          ref={button}
          aria-disabled={report.isSuccess}
          onClick={() => setOpen(!report.isSuccess)}
        >
          {report.isSuccess ? 'Reported' : 'Report'}
        </button>
      )}
      <p className="comments-status report-status" role="status">
        {report.isSuccess ? 'Thank you. The editors will look at it.' : ''}
      </p>
    </>
  )
}

type FormProps = { onSubmit: (reason: string) => Promise<void>; onCancel: () => void }

function ReportForm({ onSubmit, onCancel }: FormProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [reason, setReason] = useState('')
  const [message, setMessage] = useState('')
  const [isBusy, setBusy] = useState(false)

  useEffect(() => field.current?.focus(), [])

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    if (!hasVisibleText(reason)) {
      setMessage(emptyText)
      field.current?.focus()
      return
    }
    setBusy(true)
    setMessage('')
    try {
      await onSubmit(reason.replace(/\p{Cc}/gu, ' '))
    } catch (error) {
      setMessage(errorText(error))
      setBusy(false)
    }
  }

  return (
    <form className="report-form" onSubmit={(event) => void submit(event)} noValidate aria-busy={isBusy}>
      <label htmlFor={id}>Why should the editors look at it?</label>
      <input
        id={id}
        ref={field}
        type="text"
        dir="auto"
        autoComplete="off"
        maxLength={limits.reportReasonCharacters}
        value={reason}
        aria-invalid={message === emptyText}
        aria-describedby={`${id}-message`}
        onChange={(event) => {
          setReason(event.target.value)
          setMessage('')
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel()
        }}
      />
      <p className="comments-status" id={`${id}-message`} role="status" data-error={message !== ''}>
        {message}
      </p>
      <div className="comment-actions">
        <button type="submit" className="button" aria-disabled={isBusy}>
          {isBusy ? messages.pleaseWait : 'Report'}
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}
