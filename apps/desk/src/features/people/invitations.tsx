import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Failure } from '#components/failure.tsx'
import { useZones } from '#lib/desk-context.ts'
import { dayIn, dayText } from '#lib/time/zoned-time.ts'
import { invitationsQuery, staffKey, withdraw } from './people-calls.ts'
import { rolesText } from './roles.ts'
import type { WithProof } from './with-proof.ts'

/** Lists the open invitations, which can be withdrawn. */
export function Invitations({ withProof }: { withProof: WithProof }) {
  const { own } = useZones()
  const queryClient = useQueryClient()
  const { data: invitations = [], error, isPending } = useQuery(invitationsQuery)
  const end = useMutation({
    mutationFn: (id: string) => withProof(() => withdraw(id)),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: staffKey }),
  })
  return (
    <>
      <ul aria-label="Open invitations" aria-busy={isPending} className="people-rows people-invited">
        {invitations.map(({ id, email, roles, invitedBy, expiresAt }) => (
          <li key={id} className="people-row">
            <span className="people-initials" aria-hidden="true">
              ?
            </span>
            <div className="people-name">
              <p className="people-serif">
                <i>{email}</i>
              </p>
              <p className="meta">
                {invitedBy === null ? 'Invited' : `Invited by ${invitedBy}`}, ends on{' '}
                {dayText(dayIn(new Date(expiresAt), own), { weekday: undefined })}
              </p>
            </div>
            <p>{rolesText(roles)}</p>
            <p className="people-seen">Not here yet</p>
            <button
              type="button"
              className="plain quiet"
              disabled={end.isPending}
              aria-label={`Withdraw the invitation of ${email}`}
              onClick={() => end.mutate(id)}
            >
              Withdraw
            </button>
          </li>
        ))}
      </ul>
      <Failure text={(error ?? end.error)?.message ?? null} />
    </>
  )
}
