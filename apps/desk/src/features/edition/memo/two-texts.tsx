import type { ReactNode } from 'react'
import { type MemoFields, plainText } from '../state/memo-fields.ts'
import { compareWords, type Run } from '../state/word-differences.ts'

const fieldLabels: Readonly<Record<string, string>> = {
  title: 'Title',
  memo_content: 'Text',
  source: 'Source',
  media: 'Picture',
  media_title: 'Caption',
  media_alt: 'Alt text',
  media_focus: 'Focal point',
  media_text: 'Text at the picture',
  language: 'Language',
  ready: 'Ready',
}

type Side = { label: string; text: Partial<MemoFields>; action: ReactNode }
type Props = { fields: readonly string[]; left: Side; right: Side }

/** Two texts of the same fields side by side, with underlined differences. */
export function TwoTexts({ fields, left, right }: Props) {
  const compared = fields.map((field) => ({
    field,
    runs: compareWords(valueText(left.text, field), valueText(right.text, field)),
  }))
  return (
    <div className="edition-two">
      {[left, right].map((side, index) => (
        <section key={side.label} aria-label={side.label}>
          <h2 className="edition-caps">{side.label}</h2>
          {compared.map(({ field, runs }) => (
            <div key={field}>
              {fields.length > 1 && <p className="meta">{fieldLabels[field] ?? field}</p>}
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
    <p className="edition-prose">
      {placed.map(({ text, isOnlyHere, end }) =>
        isOnlyHere ? <mark key={end}>{text}</mark> : <span key={end}>{text}</span>,
      )}
    </p>
  )
}

function valueText(text: Partial<MemoFields>, field: string): string {
  const value: unknown = new Map<string, unknown>(Object.entries(text)).get(field)
  if (typeof value === 'string')
    return field === 'memo_content' || field === 'media_text' ? plainText(value) : value
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return value === null || value === undefined ? '' : JSON.stringify(value)
}
