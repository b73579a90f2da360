import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { DeskPerson } from '@tidings/contracts/desk/people/people'
import { useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { useYou } from '#lib/desk-context.ts'
import { initialsOf } from '#lib/initials.ts'
import { peopleQuery } from '#lib/people-query.ts'
import { useNow } from '#lib/time/use-now.ts'
import { Choices } from './choices.tsx'
import { giveRoles, recover, remove, staffKey } from './people-calls.ts'
import { roleNames, roles, rolesText } from './roles.ts'
import { seenText } from './seen-text.ts'
import { ShownOnce } from './shown-once.tsx'
import type { WithProof } from './with-proof.ts'

type Props = { person: DeskPerson; isLastOwner: boolean; withProof: WithProof | null }

/** One person with their roles; for owners, also what can be changed. */
export function PersonRow({ person, isLastOwner, withProof }: Props) {
  const you = useYou()
  const [isOpen, setOpen] = useState(false)
  const now = useNow()
  const { id, name, email, roles: given } = person
  return (
    <li>
      <div className="people-row">
        <span className="people-initials" aria-hidden="true">
          {initialsOf(name)}
        </span>
        <div className="people-name">
          <p>
            <span className="people-serif">{name}</span> {id === you.id && <span className="meta">you</span>}
          </p>
          {email !== null && <p className="meta">{email}</p>}
        </div>
        <p>{rolesText(given)}</p>
        <p className="people-seen">{person.passkeys !== undefined && seenText(person, now)}</p>
        {withProof !== null && (
          <button
            type="button"
            className="plain quiet"
            aria-expanded={isOpen}
            aria-label={`Change ${name}`}
            onClick={() => setOpen(!isOpen)}
          >
            Change
          </button>
        )}
      </div>
      {isOpen && withProof !== null && (
        <PersonForm
          person={person}
          isLastOwner={isLastOwner}
          withProof={withProof}
          onDone={() => setOpen(false)}
        />
      )}
    </li>
  )
}

type FormProps = { person: DeskPerson; isLastOwner: boolean; withProof: WithProof; onDone: () => void }

function PersonForm({ person, isLastOwner, withProof, onDone }: FormProps) {
  const { id, name } = person
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState(person.roles)
  const [asks, setAsks] = useState(false)
  async function readAgain() {
    await queryClient.invalidateQueries({ queryKey: peopleQuery.queryKey })
    await queryClient.invalidateQueries({ queryKey: staffKey })
    await queryClient.invalidateQueries({ queryKey: ['you'] })
  }
  const save = useMutation({
    mutationFn: () => withProof(() => giveRoles(id, chosen)),
    async onSuccess() {
      await readAgain()
      onDone()
    },
  })
  const removal = useMutation({ mutationFn: () => withProof(() => remove(id)), onSuccess: readAgain })
  const recovery = useMutation({ mutationFn: () => withProof(() => recover(id)), onSuccess: readAgain })
  const isPending = save.isPending || removal.isPending || recovery.isPending
  const error = save.error ?? removal.error ?? recovery.error
  const link = recovery.data?.link ?? null
  return (
    <div className="people-form">
      {isLastOwner ? (
        <p>Make someone else owner first.</p>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            save.mutate()
          }}
        >
          <Choices
            legend={`Roles of ${name}`}
            options={roles}
            names={roleNames}
            value={chosen}
            onChange={setChosen}
          />
          {chosen.length === 0 && <p className="meta">Choose at least one role.</p>}
          <div className="actions">
            <button type="submit" disabled={isPending || chosen.length === 0}>
              Save the roles
            </button>
            <button type="button" className="plain quiet" onClick={onDone}>
              Cancel
            </button>
          </div>
        </form>
      )}
      <div className="actions">
        <button type="button" className="plain" disabled={isPending} onClick={() => recovery.mutate()}>
          Send an invitation to a new passkey
        </button>
        {!isLastOwner && !asks && (
          <button type="button" className="plain" onClick={() => setAsks(true)}>
            Remove…
          </button>
        )}
      </div>
      {asks && (
        <div className="actions">
          <p>{name} can’t come in any more, at once. The log keeps the name.</p>
          <button type="button" disabled={isPending} onClick={() => removal.mutate()}>
            Remove {name}
          </button>
          <button type="button" className="plain quiet" onClick={() => setAsks(false)}>
            Keep
          </button>
        </div>
      )}
      <p role="status">
        {recovery.isSuccess &&
          `The invitation is on its way to ${recovery.data.email}. Accepting it ends the old passkeys.`}
      </p>
      {link !== null && (
        <ShownOnce label="The link of the invitation." value={link} onDone={recovery.reset} />
      )}
      <Failure text={error?.message ?? null} canClose />
    </div>
  )
}
