import { useNavigate, useSearch } from '@tanstack/react-router'
import { ArchiveScreen } from '#features/archive/archive-screen.tsx'

/** Connects the archive with the address. */
export function ArchivePage() {
  const search = useSearch({ from: '/frame/archive' })
  const navigate = useNavigate()
  return (
    <ArchiveScreen
      search={search}
      onSearch={(next) => void navigate({ to: '/archive', search: next, replace: true })}
    />
  )
}
