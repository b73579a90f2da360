import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { DeskRole } from '@tidings/contracts/desk/desk'
import { useId, useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { Choices } from './choices.tsx'
import { sendInvitation, staffKey } from './people-calls.ts'
import { roleNames, roles } from './roles.ts'
import { ShownOnce } from './shown-once.tsx'
import type { WithProof } from './with-proof.ts'

/** Invites someone by email, and shows the link of a new person once. */
export function InvitationForm({ withProof }: { withProof: WithProof }) {
  const queryClient = useQueryClient()
  const emailId = useId()
  const [email, setEmail] = useState('')
  const [chosen, setChosen] = useState<DeskRole[]>(['writer'])
  const invitation = useMutation({
    mutationFn: () => withProof(() => sendInvitation({ email: email.trim(), roles: chosen })),
    async onSuccess() {
      setEmail('')
      await queryClient.invalidateQueries({ queryKey: staffKey })
    },
  })
  const link = invitation.data?.link ?? null
  return (
    <form
      className="people-invite"
      onSubmit={(event) => {
        event.preventDefault()
        invitation.mutate()
      }}
    >
      <label htmlFor={emailId}>Invite by email</label>
      <div className="field-row">
        <input
          id={emailId}
          type="email"
          required
          maxLength={320}
          autoComplete="off"
          placeholder="name@example.com"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <button type="submit" disabled={invitation.isPending || chosen.length === 0}>
          Invite
        </button>
      </div>
      <Choices legend="As" options={roles} names={roleNames} value={chosen} onChange={setChosen} />
      <p role="status">
        {invitation.isSuccess && `The invitation is on its way to ${invitation.data.email}.`}
      </p>
      {link !== null && (
        <ShownOnce label="The link of the invitation." value={link} onDone={invitation.reset} />
      )}
      <Failure text={invitation.error?.message ?? null} canClose />
    </form>
  )
}
