import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Failure } from '#components/failure.tsx'
import { startDraft } from './day-editions.ts'

type Props = { editionKey: string; className?: string | undefined; label?: string }

/** Makes an empty draft of a slot, and opens it. */
export function StartButton({ editionKey: key, className, label }: Props) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const start = useMutation({
    mutationFn: () => startDraft(key),
    onSuccess: () => navigate({ to: '/editions/$key', params: { key } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['editions'] }),
  })
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={label}
        disabled={start.isPending}
        onClick={() => start.mutate()}
      >
        Start
      </button>
      <Failure text={start.error?.message ?? null} canClose />
    </>
  )
}
