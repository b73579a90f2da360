import '#features/comments/comments.css'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { useServices } from '#lib/services/services.tsx'
import { CommentPanel } from './comment-panel.tsx'
import { channelInfo } from './comment-queries.ts'

/** The comments of a channel below a text, closed until the reader opens them. */
export function Comments({ channel }: { channel: string }) {
  const { memberSession } = useServices()
  const { data: info } = useQuery(channelInfo(memberSession, channel))
  const [isOpen, setOpen] = useState(false)
  const title = useRef<HTMLButtonElement>(null)
  const panelId = useId()
  const count = info?.totalCount ?? 0

  return (
    <section className="comments">
      <h2>
        <button
          type="button"
          className="comments-title"
          aria-expanded={isOpen}
          aria-controls={panelId}
          ref={title}
          onClick={() => setOpen(!isOpen)}
        >
          Comments{count === 0 ? '' : ` (${count})`}
          <span className="memo-sign" aria-hidden="true" />
        </button>
      </h2>
      <div id={panelId} hidden={!isOpen}>
        {isOpen ? <CommentPanel channel={channel} onRemoved={() => title.current?.focus()} /> : null}
      </div>
    </section>
  )
}
