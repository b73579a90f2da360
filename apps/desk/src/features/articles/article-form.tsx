import { limits } from '@tidings/contracts/limits'
import { useEffect, useId, useRef } from 'react'
import { TextEditor } from '#features/editor/text-editor.tsx'
import { focusOf } from '#features/writing/focus-of.ts'
import { ArticlePicture } from './article-picture.tsx'
import type { OpenArticle } from './state/article-drafts.ts'

type Props = {
  open: OpenArticle
  canWrite: boolean
  /** Called when the person begins to write. */
  onWrite: () => void
}

/** The fields of an article, in the order of its readers. */
export function ArticleForm({ open, canWrite, onWrite }: Props) {
  const { id, draft, state } = open
  const { text, resets } = state
  const languageId = useId()
  const heading = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    // A new article begins with its title.
    if (text.title === '' && text.memo_content === '') heading.current?.focus()
  }, [])
  return (
    <fieldset className="articles-form" disabled={!canWrite} {...focusOf(draft, onWrite)}>
      <textarea
        ref={heading}
        name="title"
        className="articles-heading"
        aria-label="Title"
        rows={1}
        placeholder="Title"
        maxLength={limits.titleCharacters}
        lang={text.language === '' ? undefined : text.language}
        value={text.title}
        onChange={(event) => draft.type({ title: event.target.value.replaceAll('\n', ' ') })}
      />
      <ArticlePicture open={open} canWrite={canWrite} />
      <div data-field="memo_content" className="articles-text">
        <TextEditor
          html={text.memo_content}
          onChange={(memo_content) => draft.type({ memo_content })}
          label="Text"
          language={text.language}
          resetKey={`${id} ${resets.memo_content ?? 0}`}
          isReadOnly={!canWrite}
        />
      </div>
      <div className="articles-language">
        <label htmlFor={languageId}>Language</label>
        <input
          id={languageId}
          name="language"
          className="articles-line"
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
