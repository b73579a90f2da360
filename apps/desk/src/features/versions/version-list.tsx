import type { TextVersionSummary } from '@tidings/contracts/desk/writing/version-terms'
import { type ReactNode, useEffect, useRef } from 'react'
import { useZones } from '#lib/desk-context.ts'
import { useNow } from '#lib/time/use-now.ts'
import type { WrittenNow } from './version-calls.ts'
import { momentText, otherClock, versionText } from './version-words.ts'

type Props = {
  versions: readonly TextVersionSummary[]
  now: WrittenNow | undefined
  chosen: string | undefined
  onChoose: (version: string) => void
  end: ReactNode
}

/** The versions of a text, newest first, below the text as it is written now. */
export function VersionList({ versions, now, chosen, onChoose, end }: Props) {
  const zones = useZones()
  const today = useNow()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const row = list.current?.querySelector('[aria-current]')
    // Not out of a field in which a person is.
    if (row instanceof HTMLElement && !document.activeElement?.closest('input, select')) row.focus()
  }, [chosen])
  return (
    <aside className="versions-side" aria-label="Versions">
      <div className="versions-scroll">
        {now !== undefined && (
          <div className="versions-row">
            <p className="versions-moment">{nowText(now)}</p>
            <p className="meta">
              {[now.savedBy.split(' ')[0], momentText(new Date(now.savedAt), zones.site, today)]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </div>
        )}
        <ul ref={list}>
          {versions.map((version) => {
            const at = new Date(version.endedAt)
            const isChosen = version.id === chosen
            return (
              <li key={version.id}>
                <button
                  type="button"
                  className="versions-row"
                  aria-current={isChosen ? 'true' : undefined}
                  onClick={() => onChoose(version.id)}
                >
                  <span className="versions-moment">{momentText(at, zones.site, today)}</span>
                  <span className="meta">{versionText(version)}</span>
                  <span className="meta">{otherClock(at, zones)}</span>
                </button>
              </li>
            )
          })}
        </ul>
        {end}
      </div>
      <p className="meta versions-foot">
        One version for each sitting, each publication and each choice after a conflict.
      </p>
    </aside>
  )
}

function nowText({ isPublic, changed }: WrittenNow): string {
  if (!isPublic) return 'Written now'
  return changed.length === 0 ? 'Public now' : 'Written now, not public'
}
