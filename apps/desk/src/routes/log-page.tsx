import { useNavigate, useSearch } from '@tanstack/react-router'
import { LogScreen } from '#features/people/log-screen.tsx'

/** Connects the log with the address. */
export function LogPage() {
  const search = useSearch({ from: '/frame/people/log' })
  const navigate = useNavigate()
  return <LogScreen search={search} onSearch={(next) => void navigate({ to: '/people/log', search: next })} />
}
