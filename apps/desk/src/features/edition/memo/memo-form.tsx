import { limits } from '@tidings/contracts/limits'
import { type ReactNode, useId } from 'react'
import { TextEditor } from '#features/editor/text-editor.tsx'
import { focusOf } from '#features/writing/focus-of.ts'
import { useFieldState } from '#features/writing/use-draft-state.ts'
import { MemoPicture } from '../picture/memo-picture.tsx'
import { useUpload } from '../picture/use-upload.ts'
import type { OpenMemo } from '../state/use-draft.ts'
import { SourceField } from './source-field.tsx'

type Props = {
  open: OpenMemo
  canWrite: boolean
  /** The text that readers have, if this one differs. */
  publicText: string | null
  /** Called when the person begins to write. */
  onWrite: () => void
  /** Shown below the text. */
  children: ReactNode
}

/** The fields of a memo, in the order of its readers. */
export function MemoForm({ open: { id, draft }, canWrite, publicText, onWrite, children }: Props) {
  const state = useFieldState(draft)
  const { text, resets } = state
  const languageId = useId()
  const picture = useUpload((media) =>
    draft.type({ media, media_alt: null, media_focus: { x: 0.5, y: 0.5 } }),
  )
  return (
    <fieldset
      className="edition-form"
      disabled={!canWrite}
      {...focusOf(draft, onWrite)}
      {...(canWrite && picture.takesFiles)}
    >
      <textarea
        name="title"
        className="edition-heading"
        aria-label="Title"
        rows={1}
        placeholder="Title"
        maxLength={limits.titleCharacters}
        lang={text.language === '' ? undefined : text.language}
        value={text.title}
        onChange={(event) => draft.type({ title: event.target.value.replaceAll('\n', ' ') })}
      />
      <MemoPicture open={{ id, draft, state }} canWrite={canWrite} upload={picture} />
      <div data-field="memo_content" className="edition-text">
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
      {children}
      <div className="edition-source">
        <SourceField open={{ id, draft, state }} canWrite={canWrite} />
        <label htmlFor={languageId}>Language</label>
        <input
          id={languageId}
          name="language"
          placeholder="as the site"
          size={10}
          spellCheck={false}
          value={text.language}
          onChange={(event) => draft.type({ language: event.target.value })}
        />
      </div>
    </fieldset>
  )
}
