import { lazy, Suspense } from 'react'
import type { TextEditorProps } from './editor-props.ts'

// ProseMirror is loaded with the first text.
const RichText = lazy(async () => ({ default: (await import('./rich-text.tsx')).RichText }))

/** Edits the text of a memo or an article. What it reports is what the API stores. */
export function TextEditor(props: TextEditorProps) {
  return (
    <Suspense fallback={<p className="loading">Loading the text…</p>}>
      <RichText {...props} />
    </Suspense>
  )
}
