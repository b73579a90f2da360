import { lazy } from 'react'

// ProseMirror is loaded while the first text is read. A failure is reported where it is shown.
const loading = import('./rich-text.tsx')
loading.catch(() => {})

/** Edits the text of a memo or an article. What it reports is what the API stores. Suspends until it is loaded. */
export const TextEditor = lazy(async () => ({ default: (await loading).RichText }))
