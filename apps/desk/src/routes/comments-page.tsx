import { useNavigate, useSearch } from '@tanstack/react-router'
import { CommentsScreen } from '#features/comments/comments-screen.tsx'

/** Connects the comments with the address. */
export function CommentsPage() {
  const search = useSearch({ from: '/frame/comments' })
  const navigate = useNavigate()
  return (
    <CommentsScreen search={search} onSearch={(next) => void navigate({ to: '/comments', search: next })} />
  )
}
