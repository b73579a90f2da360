import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { UnsavedEdition } from '@tidings/contracts/desk/unsaved'
import { useEffect, useState } from 'react'
import { after } from '#lib/browser/timer.ts'

const pauseMs = 300

type Render<Rendered> = (unsaved: UnsavedEdition, signal: AbortSignal) => Promise<Rendered>

/** A preview from the server: the last one that worked, and why the newest words have none. */
export type Rendering<Rendered> = { shown: Rendered | null; error: Error | null; retry: () => void }

/** Renders an edition after each pause of typing. An earlier request is aborted; its preview stays until the next one. */
export function useRendering<Rendered>(
  name: string,
  unsaved: UnsavedEdition,
  render: Render<Rendered>,
): Rendering<Rendered> {
  const settled = useSettled(JSON.stringify(unsaved), unsaved)
  const { data, error, refetch } = useQuery({
    queryKey: ['preview', name, settled.text],
    queryFn: ({ signal }) => render(settled.value, signal),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    // Addresses of previews end, so none is kept for later.
    gcTime: 0,
    retry: 1,
  })
  const [last, setLast] = useState<{ name: string; data: Rendered } | null>(null)
  if (data !== undefined && (last?.data !== data || last.name !== name)) setLast({ name, data })
  const lastShown = last?.name === name ? last.data : null
  return { shown: data ?? lastShown, error, retry: () => void refetch() }
}

/** Returns a value once it has not changed for a moment. */
function useSettled<Value>(text: string, value: Value): { text: string; value: Value } {
  const [settled, setSettled] = useState({ text, value })
  useEffect(() => {
    if (settled.text === text) return undefined
    return after(pauseMs, () => setSettled({ text, value }))
  }, [settled, text, value])
  return settled
}
