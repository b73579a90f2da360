import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Failure } from '#components/failure.tsx'
import { useYou } from '#lib/desk-context.ts'
import { NothingYet } from './nothing-yet.tsx'
import { editionQuery, startEdition } from './state/edition-calls.ts'
import { rightsIn } from './state/edition-words.ts'

/** Starts an edition that doesn’t exist yet. */
export function StartEdition({ editionKey }: { editionKey: string }) {
  const queryClient = useQueryClient()
  const { canWrite } = rightsIn('draft', useYou().roles)
  const { queryKey } = editionQuery(editionKey)
  const start = useMutation({
    mutationFn: () => startEdition(editionKey),
    onSuccess: (edition) => queryClient.setQueryData(queryKey, edition),
    onError: () => queryClient.invalidateQueries({ queryKey }),
  })
  return (
    <div className="edition-hint">
      <NothingYet editionKey={editionKey} />
      {canWrite && (
        <button type="button" className="filled" disabled={start.isPending} onClick={() => start.mutate()}>
          Start
        </button>
      )}
      <Failure text={start.error?.message ?? null} canClose />
    </div>
  )
}
