import { useState } from 'react'
import { useIsPhone } from '#lib/browser/use-is-phone.ts'
import { type PdfFormat, renderPdf } from '../rendering/preview-calls.ts'
import { type PreviewedEdition, unsavedOf } from '../rendering/previewed-edition.ts'
import { RenderedByServer } from '../rendering/rendered-by-server.tsx'
import { SteadyFrame } from '../rendering/steady-frame.tsx'
import { useRendering } from '../rendering/use-rendering.ts'
import { Choice } from './choice.tsx'

// The viewer of the browser fits the page into the column, without its own bar.
const fitted = '#toolbar=0&navpanes=0&view=FitH'

/** The PDF of the edition. On phones, and where the browser shows none in a page, a link opens it. */
export function PdfPreview({ edition }: { edition: PreviewedEdition }) {
  const [format, setFormat] = useState<PdfFormat>('phone')
  const isPhone = useIsPhone()
  const rendering = useRendering(`pdf ${format} ${edition.key}`, unsavedOf(edition), (unsaved, signal) =>
    renderPdf(unsaved, format, signal),
  )
  return (
    <>
      <Choice
        label="Pages"
        options={[
          { value: 'phone', text: 'Phone pages' },
          { value: 'a4', text: 'A4' },
        ]}
        value={format}
        onChoose={setFormat}
      />
      <RenderedByServer rendering={rendering}>
        {({ url, bytes }) => (
          <>
            <p className="preview-subject">
              <a href={url} target="_blank" rel="noreferrer">
                Open the PDF
              </a>{' '}
              <span className="meta">{Math.ceil(bytes / 1_000).toLocaleString('en')} kB</span>
            </p>
            {!isPhone && navigator.pdfViewerEnabled && (
              <SteadyFrame key={format} url={`${url}${fitted}`} title="PDF" isSandboxed={false} />
            )}
          </>
        )}
      </RenderedByServer>
    </>
  )
}
