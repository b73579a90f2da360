import type { DeskEdition } from '@tidings/contracts/desk/editions'
import type { CalendarDate } from '@tidings/contracts/edition-key'
import { lazy, Suspense } from 'react'
import type { OpenMemo } from './state/use-draft.ts'
import type { EditionView } from './state/use-edition-view.ts'
import { usePreviewedEdition } from './state/use-previewed-edition.ts'

const PreviewPane = lazy(async () => ({
  default: (await import('#features/preview/preview-pane.tsx')).PreviewPane,
}))

type Props = {
  edition: DeskEdition
  day: CalendarDate
  slot: string
  open: OpenMemo | null
  view: EditionView
}

/** The edition as members get it, beside the text or in its place. */
export function PreviewColumn({ edition, day, slot, open, view }: Props) {
  const previewed = usePreviewedEdition(edition, { day, slot, open })
  return (
    <Suspense
      fallback={
        <p role="status" className="loading">
          Loading the preview…
        </p>
      }
    >
      <PreviewPane edition={previewed} form={view.form} onForm={view.setForm} />
    </Suspense>
  )
}
