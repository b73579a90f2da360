import { formatWireDate } from '@tidings/contracts/edition-key'
import { useState } from 'react'
import { renderDigest, renderEmail } from '../rendering/preview-calls.ts'
import { type PreviewedEdition, unsavedOf } from '../rendering/previewed-edition.ts'
import { RenderedByServer } from '../rendering/rendered-by-server.tsx'
import { SteadyFrame } from '../rendering/steady-frame.tsx'
import { useRendering } from '../rendering/use-rendering.ts'
import { Choice } from './choice.tsx'

/** The email of the edition, or the digest of its day. */
export function EmailPreview({ edition }: { edition: PreviewedEdition }) {
  const [as, setAs] = useState<'email' | 'digest'>('email')
  const date = formatWireDate(edition.day)
  const rendering = useRendering(`${as} ${edition.key}`, unsavedOf(edition), (unsaved, signal) =>
    as === 'email' ? renderEmail(unsaved, signal) : renderDigest(date, unsaved, signal),
  )
  return (
    <>
      <Choice
        label="Email"
        options={[
          { value: 'email', text: `${edition.slot} alone` },
          { value: 'digest', text: 'Digest of the day' },
        ]}
        value={as}
        onChoose={setAs}
      />
      <RenderedByServer rendering={rendering}>
        {({ subject, url }) => (
          <>
            <p className="preview-subject">
              <span className="meta">Subject</span> {subject}
              {as === 'email' && edition.subject !== undefined && (
                <span className="meta"> · not saved yet</span>
              )}
            </p>
            <SteadyFrame key={as} url={url} title={as === 'email' ? 'Email' : 'Digest'} isSandboxed />
          </>
        )}
      </RenderedByServer>
    </>
  )
}
