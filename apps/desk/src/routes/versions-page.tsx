import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { parseEditionKey } from '@tidings/contracts/edition-key'
import { VersionsScreen } from '#features/versions/versions-screen.tsx'
import { dayText } from '#lib/time/zoned-time.ts'

/** The versions of a memo. */
export function MemoVersionsPage() {
  const params = useParams({ from: '/frame/editions/$key/memos/$id/versions' })
  const { version } = useSearch({ from: '/frame/editions/$key/memos/$id/versions' })
  const navigate = useNavigate()
  const edition = parseEditionKey(params.key)
  return (
    <VersionsScreen
      key={params.id}
      kind="memo"
      id={params.id}
      place={edition === null ? '' : `${dayText(edition.date)} · ${edition.slot}`}
      chosen={version}
      onChoose={(next) => void navigate({ to: '.', search: { version: next }, replace: true })}
      onBack={() => void navigate({ to: '/editions/$key/memos/$id', params })}
    />
  )
}

/** The versions of an article. */
export function ArticleVersionsPage() {
  const params = useParams({ from: '/frame/articles/$id/versions' })
  const { version } = useSearch({ from: '/frame/articles/$id/versions' })
  const navigate = useNavigate()
  return (
    <VersionsScreen
      key={params.id}
      kind="article"
      id={params.id}
      place="Article"
      chosen={version}
      onChoose={(next) => void navigate({ to: '.', search: { version: next }, replace: true })}
      onBack={() => void navigate({ to: '/articles/$id', params })}
    />
  )
}
