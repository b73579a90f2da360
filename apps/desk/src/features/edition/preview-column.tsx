import { lazy, Suspense } from 'react'
import type { PreviewedEdition } from '#features/preview/rendering/previewed-edition.ts'
import type { EditionView } from './state/use-edition-view.ts'

const PreviewPane = lazy(async () => ({
  default: (await import('#features/preview/preview-pane.tsx')).PreviewPane,
}))

/** The edition as members get it, beside the text or in its place. */
export function PreviewColumn({ edition, view }: { edition: PreviewedEdition; view: EditionView }) {
  return (
    <Suspense
      fallback={
        <p role="status" className="loading">
          Loading the preview…
        </p>
      }
    >
      <PreviewPane edition={edition} form={view.form} onForm={view.setForm} />
    </Suspense>
  )
}
