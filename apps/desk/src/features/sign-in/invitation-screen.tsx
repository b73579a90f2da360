import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { OpenInvitation } from '@tidings/contracts/desk/people/invitations'
import { useId, useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { ApiError, NetworkError } from '#lib/api/call.ts'
import { useDeskConfig } from '#lib/desk-context.ts'
import { youQuery } from '#lib/you-query.ts'
import { Entrance } from './entrance.tsx'
import { acceptInvitation, invitationOf } from './invitation-calls.ts'
import { roleDeeds } from './role-deeds.ts'

type Props = { token: string; onStart: () => void }

/** Shows an invitation, and accepts it with a first passkey. */
export function InvitationScreen({ token, onStart }: Props) {
  const { siteName } = useDeskConfig()
  const { data: invitation, error, refetch } = useQuery(invitationOf(token))
  if (invitation !== undefined) {
    return (
      <Entrance
        title={`${invitation.invitedBy ?? 'The operator'} invites you`}
        note={`to ${verb(invitation)} ${siteName}.`}
      >
        <Facts invitation={invitation} />
        <AcceptForm token={token} invitation={invitation} onStart={onStart} />
      </Entrance>
    )
  }
  if (error instanceof ApiError && error.status === 410) {
    return (
      <Entrance title="Invitation">
        <p>{error.message}</p>
        <p>
          <a href="/desk/sign-in">Sign in</a> if you work here already.
        </p>
      </Entrance>
    )
  }
  return (
    <Entrance title="Invitation">
      {error === null ? (
        <p role="status" className="loading">
          Loading the invitation…
        </p>
      ) : (
        <div className="failed-read">
          <Failure text={error.message} />
          <button type="button" onClick={() => void refetch()}>
            Try again
          </button>
        </div>
      )}
    </Entrance>
  )
}

function verb({ roles }: OpenInvitation): string {
  if (roles.includes('owner') || roles.includes('editor')) return 'edit'
  return roles.includes('writer') ? 'write for' : 'moderate'
}

function Facts({ invitation: { roles, email, expiresAt } }: { invitation: OpenInvitation }) {
  const until = new Intl.DateTimeFormat('en', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date(expiresAt))
  return (
    <dl className="entrance-facts">
      <div>
        <dt>You will be</dt>
        <dd>{roleDeeds(roles).join('. ')}</dd>
      </div>
      <div>
        <dt>With the address</dt>
        <dd>{email}</dd>
      </div>
      <div>
        <dt>Until</dt>
        <dd>{until}</dd>
      </div>
    </dl>
  )
}

function AcceptForm({ token, invitation, onStart }: Props & { invitation: OpenInvitation }) {
  const id = useId()
  const queryClient = useQueryClient()
  const [name, setName] = useState(invitation.name ?? '')
  const accept = useMutation({
    mutationFn: () => acceptInvitation(token, { name, hasPasskeys: invitation.passkeys }),
    onSuccess(you) {
      queryClient.setQueryData(youQuery.queryKey, you)
      onStart()
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        accept.mutate()
      }}
    >
      <label htmlFor={id}>Your name, as colleagues see it</label>
      <input
        id={id}
        autoComplete="name"
        required
        maxLength={100}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      {invitation.endsLogins && <p>Your other passkeys and sessions end.</p>}
      <Failure text={accept.error === null ? null : failureText(accept.error)} />
      <button type="submit" className="filled" disabled={accept.isPending}>
        {invitation.passkeys ? 'Create a passkey and start' : 'Start'}
      </button>
      {invitation.passkeys && <p className="meta">No password to choose, and none to lose.</p>}
    </form>
  )
}

function failureText(error: Error): string {
  if (error instanceof ApiError || error instanceof NetworkError) return error.message
  return 'No passkey was created. Try again.'
}
