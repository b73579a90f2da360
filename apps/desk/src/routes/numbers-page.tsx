import { useNavigate, useSearch } from '@tanstack/react-router'
import { NumbersScreen } from '#features/numbers/numbers-screen.tsx'

/** Connects the numbers with the address. */
export function NumbersPage() {
  const search = useSearch({ from: '/frame/numbers' })
  const navigate = useNavigate()
  return (
    <NumbersScreen search={search} onSearch={(next) => void navigate({ to: '/numbers', search: next })} />
  )
}
