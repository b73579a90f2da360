import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Failure } from '#components/failure.tsx'
import { ApiError } from '#lib/api/call.ts'
import { youQuery } from '#lib/you-query.ts'
import { Entrance } from './entrance.tsx'
import { signInLinkOf, signInWithLink } from './invitation-calls.ts'

/** The page behind a link in an email. Mail scanners open links, so only its button signs in. */
export function SignInLinkScreen({ token, onStart }: { token: string; onStart: () => void }) {
  const queryClient = useQueryClient()
  const { data: link, error, refetch } = useQuery(signInLinkOf(token))
  const signIn = useMutation({
    mutationFn: () => signInWithLink(token),
    onSuccess(you) {
      queryClient.setQueryData(youQuery.queryKey, you)
      onStart()
    },
  })
  const failure = signIn.error ?? error
  const isOver = failure instanceof ApiError && failure.status === 410
  return (
    <Entrance title="Sign in to the desk" {...(link !== undefined && { note: `as ${link.email}` })}>
      {link !== undefined && !isOver && (
        <button type="button" className="filled" disabled={signIn.isPending} onClick={() => signIn.mutate()}>
          Sign in
        </button>
      )}
      {link === undefined && error === null && (
        <p role="status" className="loading">
          Loading the link…
        </p>
      )}
      <Failure text={failure?.message ?? null} />
      {isOver && (
        <p>
          <a href="/desk/sign-in">Get a new link</a>
        </p>
      )}
      {error !== null && !isOver && (
        <button type="button" onClick={() => void refetch()}>
          Try again
        </button>
      )}
    </Entrance>
  )
}
