import { useQuery } from '@tanstack/react-query'
import { limits } from '@tidings/contracts/limits'
import { useId } from 'react'
import { membersText, reachQuery } from './correction-calls.ts'
import type { Correction } from './use-correction.ts'

type Props = { id: string; correction: Correction }

/** The note of a correction, and who gets it. */
export function CorrectionForm({ id, correction: { choice, choose } }: Props) {
  const noteId = useId()
  const { data: reach } = useQuery(reachQuery(id))
  const gotText = reach?.gotText ?? 0
  const waiting = reach?.waiting ?? 0
  return (
    <section className="edition-correction" aria-label="Correction">
      <label htmlFor={noteId}>Note for readers, below the memo (may stay empty)</label>
      <textarea
        id={noteId}
        rows={1}
        maxLength={limits.noteCharacters}
        value={choice.note}
        onChange={({ target }) => choose({ note: target.value })}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={choice.isNoteShown}
          onChange={({ target }) => choose({ isNoteShown: target.checked })}
        />
        Show the note on the site and in the archive
      </label>
      {gotText > 0 && (
        <label className="check">
          <input
            type="checkbox"
            checked={choice.isSent}
            onChange={({ target }) => choose({ isSent: target.checked })}
          />
          <span>Also send it to the {membersText(gotText)} who got the old text</span>
          <span className="meta">by email, at once</span>
        </label>
      )}
      {waiting > 0 && (
        <p className="meta">The {membersText(waiting)} still waiting get the new text in any case.</p>
      )}
    </section>
  )
}
