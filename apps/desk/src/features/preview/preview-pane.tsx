import './preview.css'
import { useState } from 'react'
import type { TestMethod } from '#features/test-send/test-calls.ts'
import { TestDialog } from '#features/test-send/test-dialog.tsx'
import { useYou } from '#lib/desk-context.ts'
import { EmailPreview } from './forms/email-preview.tsx'
import { PdfPreview } from './forms/pdf-preview.tsx'
import { PhonePreview } from './forms/phone-preview.tsx'
import { TextPreview } from './forms/text-preview.tsx'
import { type PreviewedEdition, type PreviewForm, unsavedOf } from './rendering/previewed-edition.ts'

type Props = {
  edition: PreviewedEdition
  form: PreviewForm
  onForm: (form: PreviewForm) => void
}

const forms = [
  ['phone', 'Phone', PhonePreview],
  ['email', 'Email', EmailPreview],
  ['text', 'Text', TextPreview],
  ['pdf', 'PDF', PdfPreview],
] as const

const testedAs: Readonly<Record<PreviewForm, TestMethod>> = {
  phone: 'memo-email',
  email: 'memo-email',
  text: 'memo-sms',
  pdf: 'pdf-email',
}

/** The edition in each form in which members get it, with words that aren't saved yet. */
export function PreviewPane({ edition, form, onForm }: Props) {
  const { roles } = useYou()
  const [isTesting, setTesting] = useState(false)
  const mayTest = roles.some((role) => role !== 'moderator')
  const [, , Shown] = forms.find(([name]) => name === form) ?? forms[0]
  return (
    <section className="preview" aria-label="Preview">
      <div className="preview-tabs">
        <fieldset aria-label="Preview as">
          {forms.map(([name, label]) => (
            <button key={name} type="button" aria-pressed={name === form} onClick={() => onForm(name)}>
              {label}
            </button>
          ))}
        </fieldset>
        {mayTest && edition.memos.length > 0 && (
          <button type="button" onClick={() => setTesting(true)}>
            Test…
          </button>
        )}
      </div>
      <div className="preview-body">
        {edition.memos.length === 0 ? <p className="meta">No memos yet.</p> : <Shown edition={edition} />}
      </div>
      <p className="preview-foot meta">As members see it, with the words not saved yet.</p>
      {isTesting && (
        <TestDialog
          slot={edition.slot}
          edition={{ day: edition.day, unsaved: unsavedOf(edition) }}
          first={testedAs[form]}
          close={() => setTesting(false)}
        />
      )}
    </section>
  )
}
