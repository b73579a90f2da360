import { useState } from 'react'

/** Shows what the API returns only once, and copies it. */
export function ShownOnce({ label, value, onDone }: { label: string; value: string; onDone: () => void }) {
  const [state, setState] = useState<'shown' | 'copied' | 'refused'>('shown')
  return (
    <div className="people-once">
      <p>
        <b>{label}</b> Copy it now. It isn’t shown again.
      </p>
      <output className="people-secret">{value}</output>
      <div className="actions">
        <button
          type="button"
          onClick={() => {
            navigator.clipboard.writeText(value).then(
              () => setState('copied'),
              () => setState('refused'),
            )
          }}
        >
          Copy
        </button>
        <button type="button" className="plain" onClick={onDone}>
          Done
        </button>
        <p role="status">
          {state === 'copied' && 'Copied.'}
          {state === 'refused' && 'The browser doesn’t let the desk copy. Select the text and copy it.'}
        </p>
      </div>
    </div>
  )
}
