import './text-form.css'
import { limits } from '@tidings/contracts/limits'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { TextEditor } from '#features/editor/text-editor.tsx'
import type { PictureText } from '#features/picture/open-picture.ts'
import { PictureField } from '#features/picture/picture-field.tsx'
import { useUpload } from '#features/picture/use-upload.ts'
import { focusOf } from '#features/writing/focus-of.ts'
import { takeNewText } from '#features/writing/new-texts.ts'
import type { OpenText, WrittenText } from '#features/writing/open-text.ts'
import { useFieldState } from '#features/writing/use-draft-state.ts'

type Props = {
  open: Pick<OpenText<WrittenText & PictureText & { language: string }>, 'id' | 'draft'>
  canWrite: boolean
  /** The text that readers have, if this one differs. */
  publicText?: string | null
  /** Called when the person begins to write. */
  onWrite: () => void
  /** Shown below the text. */
  below?: ReactNode
  /** Shown before the language. */
  source?: ReactNode
}

/** The fields that memos and articles share, in the order of their readers. Suspends until the editor is loaded. */
export function TextForm(props: Props) {
  const { open, canWrite, publicText = null, onWrite, below, source } = props
  const { id, draft } = open
  const state = useFieldState(draft)
  const { text, resets } = state
  const upload = useUpload(open)
  const title = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (takeNewText(id)) title.current?.focus()
  }, [id])
  return (
    <fieldset
      className="text-form"
      disabled={!canWrite}
      {...focusOf(draft, onWrite)}
      {...(canWrite && upload.takesFiles)}
    >
      <textarea
        ref={title}
        name="title"
        className="text-form-title"
        aria-label="Title"
        rows={1}
        placeholder="Title"
        maxLength={limits.titleCharacters}
        lang={text.language === '' ? undefined : text.language}
        value={text.title}
        onChange={(event) => draft.type({ title: event.target.value.replaceAll('\n', ' ') })}
      />
      <PictureField open={{ id, draft, state }} canWrite={canWrite} upload={upload} />
      <div data-field="memo_content" className="text-form-text">
        <TextEditor
          html={draft.getState().text.memo_content}
          onChange={(memo_content) => draft.type({ memo_content })}
          label="Text"
          language={text.language}
          resetKey={`${id} ${resets.memo_content ?? 0}`}
          isReadOnly={!canWrite}
          comparedWith={publicText}
        />
      </div>
      {below}
      <div className="text-form-foot">
        {source}
        <LanguageField value={text.language} onChange={(language) => draft.type({ language })} />
      </div>
    </fieldset>
  )
}

function LanguageField({ value, onChange }: { value: string; onChange: (language: string) => void }) {
  const id = useId()
  return (
    <>
      <label htmlFor={id}>Language</label>
      <input
        id={id}
        name="language"
        placeholder="as the site"
        size={10}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  )
}
