import { newerOf } from '#features/writing/text-drafts.ts'
import './versions.css'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { TextVersionSummary } from '@tidings/contracts/desk/writing/version-terms'
import { useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { ListEnd } from '#components/list-end.tsx'
import { useKeys } from '#lib/browser/use-keys.ts'
import { useYou, useZones } from '#lib/desk-context.ts'
import { useNow } from '#lib/time/use-now.ts'
import { Comparison, type View } from './comparison.tsx'
import { restoreVersion, type TextKind, versionPages, versionsKey, writtenNowQuery } from './version-calls.ts'
import { VersionList } from './version-list.tsx'
import { momentText } from './version-words.ts'

type Props = {
  kind: TextKind
  id: string
  /** Where the text is, such as its edition. */
  place: string
  chosen: string | undefined
  onChoose: (version: string) => void
  onBack: () => void
}

const loading = 'Loading the versions…'
const views = [
  ['marked', 'Marked'],
  ['side', 'Side by side'],
  ['only', 'Only this text'],
] as const satisfies readonly (readonly [View, string])[]

/** The versions of a text: their list, what differs, and the way back to one of them. */
export function VersionsScreen({ kind, id, place, chosen, onChoose, onBack }: Props) {
  const list = useInfiniteQuery(versionPages(kind, id))
  const { data: now, isPending: isReading } = useQuery(writtenNowQuery(kind, id))
  // The text as it is now stands above them.
  const isLoading = isReading || list.isPending
  const versions = list.data?.pages.flatMap(({ data }) => data) ?? []
  const found = versions.findIndex((each) => each.id === chosen)
  // The newest one is mostly what is written now.
  const at = found === -1 ? Math.max(0, Math.min(1, versions.length - 1)) : found
  const step = (by: -1 | 1) => {
    const next = versions[at + by]
    if (next !== undefined) onChoose(next.id)
  }
  useKeys({ j: () => step(1), k: () => step(-1), escape: onBack })
  const version = versions[at]
  const title =
    now === undefined || now.title === ''
      ? `${kind === 'memo' ? 'Memo' : 'Article'} without title`
      : now.title
  return (
    <div className="versions">
      <header className="versions-bar">
        <h1>{now === undefined ? 'Versions' : title}</h1>
        {!isReading && <p className="versions-place">{place}</p>}
        <button type="button" className="plain quiet" aria-keyshortcuts="Escape" onClick={onBack}>
          {`Back to the ${kind}`}
        </button>
      </header>
      {isLoading && (
        <p role="status" className="loading">
          {loading}
        </p>
      )}
      {!isLoading && (
        <div className="versions-columns">
          <VersionList
            versions={versions}
            now={now}
            chosen={version?.id}
            onChoose={onChoose}
            end={<ListEnd list={list} loading={loading} />}
          />
          <section className="versions-middle" aria-label="Version">
            {list.isSuccess && version === undefined && (
              <p className="versions-hint">{`No versions yet. The first one begins with the first word of the ${kind}.`}</p>
            )}
            {version !== undefined && (
              <Chosen
                key={version.id}
                kind={kind}
                id={id}
                version={version}
                later={versions.slice(0, at)}
                ifMatch={now?.version}
              />
            )}
          </section>
        </div>
      )}
    </div>
  )
}

type ChosenProps = {
  kind: TextKind
  id: string
  version: TextVersionSummary
  later: readonly TextVersionSummary[]
  ifMatch: number | undefined
}

function Chosen({ kind, id, version, later, ifMatch }: ChosenProps) {
  const { site } = useZones()
  const now = useNow()
  const queryClient = useQueryClient()
  const canRestore = useYou().roles.some((role) => role !== 'moderator')
  const [view, setView] = useState<View>('marked')
  const [other, setOther] = useState<string | undefined>(undefined)
  const restore = useMutation({
    mutationFn: (base: number) => restoreVersion(kind, { id, version: version.id, ifMatch: base }),
    async onSuccess({ copy, copyKey }) {
      queryClient.setQueryData<typeof copy>(copyKey, (known) => newerOf(known, copy))
      await queryClient.invalidateQueries({ queryKey: versionsKey(kind, id) })
    },
  })
  const moment = (at: string) => momentText(new Date(at), site, now)
  return (
    <>
      <div className="versions-head">
        <p className="versions-between">
          {view === 'only' ? 'The text of ' : 'Comparing '}
          <b>{moment(version.endedAt)}</b>
          {view !== 'only' && (
            <label>
              with{' '}
              <select value={other ?? ''} onChange={({ target }) => setOther(target.value || undefined)}>
                <option value="">what is written now</option>
                {later.map((each) => (
                  <option key={each.id} value={each.id}>
                    {moment(each.endedAt)}
                  </option>
                ))}
              </select>
            </label>
          )}
        </p>
        <nav className="versions-views" aria-label="View">
          {views.map(([name, label]) => (
            <button
              key={name}
              type="button"
              className="plain quiet"
              aria-pressed={view === name}
              onClick={() => setView(name)}
            >
              {label}
            </button>
          ))}
        </nav>
        {canRestore && ifMatch !== undefined && (
          <button type="button" disabled={restore.isPending} onClick={() => restore.mutate(ifMatch)}>
            Restore this version
          </button>
        )}
      </div>
      <Failure text={restore.error?.message ?? null} canClose />
      <p role="status" className="versions-said">
        {restore.isSuccess ? 'Restored. Nothing is public or sent.' : ''}
      </p>
      <Comparison kind={kind} id={id} version={version.id} later={other} view={view} />
      {canRestore && (
        <p className="meta versions-note">
          Restoring makes a new version that isn’t public. Nothing is overwritten, and nothing is sent.
        </p>
      )}
    </>
  )
}
