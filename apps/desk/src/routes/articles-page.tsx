import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ArticlesScreen } from '#features/articles/articles-screen.tsx'

/** Connects the articles with the address. */
export function ArticlesPage() {
  const search = useSearch({ from: '/frame/articles' })
  const { id = null } = useParams({ strict: false })
  const navigate = useNavigate()
  return (
    <ArticlesScreen
      id={id}
      search={search}
      onSearch={(next) => void navigate({ to: '.', search: next, replace: true })}
    />
  )
}
