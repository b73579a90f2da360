import './writing.css'
import type { ReactNode } from 'react'
import { fieldLabel } from '#lib/api/field-labels.ts'
import { plainText } from './plain-text.ts'
import { compareWords, type Run } from './word-differences.ts'

type Side = { label: string; text: object; action: ReactNode }
type Props = { fields: readonly string[]; left: Side; right: Side }

/** Two texts of the same fields side by side, with underlined differences. */
export function TwoTexts({ fields, left, right }: Props) {
  const compared = fields.map((field) => ({
    field,
    runs: compareWords(valueText(left.text, field), valueText(right.text, field)),
  }))
  return (
    <div className="writing-two">
      {[left, right].map((side, index) => (
        <section key={side.label} aria-label={side.label}>
          <h2 className="writing-caps">{side.label}</h2>
          {compared.map(({ field, runs }) => (
            <div key={field}>
              {fields.length > 1 && <p className="meta">{fieldLabel(field)}</p>}
              <Marked runs={runs[index] ?? []} />
            </div>
          ))}
          {side.action}
        </section>
      ))}
    </div>
  )
}

function Marked({ runs }: { runs: readonly Run[] }) {
  if (runs.length === 0) return <p className="meta">Empty</p>
  let offset = 0
  const placed = runs.map((run) => {
    offset += run.text.length
    return { ...run, end: offset }
  })
  return (
    <p className="writing-prose">
      {placed.map(({ text, isOnlyHere, end }) =>
        isOnlyHere ? (
          <span key={end}>
            {text.slice(0, text.length - text.trimStart().length)}
            <mark>{text.trimStart()}</mark>
          </span>
        ) : (
          <span key={end}>{text}</span>
        ),
      )}
    </p>
  )
}

function valueText(text: object, field: string): string {
  const value: unknown = new Map<string, unknown>(Object.entries(text)).get(field)
  if (typeof value === 'string')
    return field === 'memo_content' || field === 'media_text' ? plainText(value) : value
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return value === null || value === undefined ? '' : JSON.stringify(value)
}
