import type { ReactNode } from 'react'
import { Failure } from '#components/failure.tsx'
import type { Rendering } from './use-rendering.ts'

type Props<Rendered> = { rendering: Rendering<Rendered>; children: (shown: Rendered) => ReactNode }

/** Shows a preview of the server. If the newest words have none, it says so above the last one. */
export function RenderedByServer<Rendered>({
  rendering: { shown, error, retry },
  children,
}: Props<Rendered>) {
  return (
    <>
      {error !== null && (
        <div className="preview-failure">
          <Failure text={error.message} />
          {shown !== null && <p className="meta">Below is the last preview, without the newest words.</p>}
          <button type="button" onClick={retry}>
            Try again
          </button>
        </div>
      )}
      {shown === null && error === null && (
        <p role="status" className="loading">
          Loading the preview…
        </p>
      )}
      {shown !== null && children(shown)}
    </>
  )
}
