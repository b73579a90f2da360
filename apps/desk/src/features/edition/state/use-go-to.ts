import { useNavigate } from '@tanstack/react-router'

/** Opens a memo of an edition; without an id, the list alone. */
export function useGoTo(key: string) {
  const navigate = useNavigate()
  return (id: string | undefined, replace = false) =>
    void (id === undefined
      ? navigate({ to: '/editions/$key', params: { key }, replace })
      : navigate({ to: '/editions/$key/memos/$id', params: { key, id }, replace }))
}
