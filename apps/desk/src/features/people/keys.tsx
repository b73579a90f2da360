import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { EditorScope } from '@tidings/contracts/desk/desk'
import type { DeskKey } from '@tidings/contracts/desk/people/editor-keys'
import { useId, useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { useZones } from '#lib/desk-context.ts'
import { useNow } from '#lib/time/use-now.ts'
import { dayIn, dayText, spanText } from '#lib/time/zoned-time.ts'
import { Choices } from './choices.tsx'
import { keysQuery, makeKey, revoke, staffKey } from './people-calls.ts'
import { scopeNames, scopes } from './roles.ts'
import { ShownOnce } from './shown-once.tsx'
import type { WithProof } from './with-proof.ts'

/** Lists the keys of scripts, makes new ones and revokes them. */
export function Keys({ withProof }: { withProof: WithProof }) {
  const queryClient = useQueryClient()
  const { data: keys = [], error, isPending } = useQuery(keysQuery)
  const [isOpen, setOpen] = useState(false)
  const end = useMutation({
    mutationFn: (id: string) => withProof(() => revoke(id)),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: staffKey }),
  })
  return (
    <section aria-labelledby="keys" className="people-keys">
      <div className="people-title">
        <h2 id="keys">Keys for scripts</h2>
        <p className="meta">A key acts for a script, never for a person.</p>
        <button type="button" className="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          New key
        </button>
      </div>
      {isOpen && <KeyForm withProof={withProof} />}
      <Failure text={(error ?? end.error)?.message ?? null} />
      <ul aria-label="Keys" aria-busy={isPending} className="people-rows">
        {keys.map((key) => (
          <KeyRow key={key.id} deskKey={key} isPending={end.isPending} onRevoke={() => end.mutate(key.id)} />
        ))}
      </ul>
    </section>
  )
}

type RowProps = { deskKey: DeskKey; isPending: boolean; onRevoke: () => void }

function KeyRow({ deskKey: { name, scopes: given, lastUsedAt, revokedAt }, isPending, onRevoke }: RowProps) {
  const [asks, setAsks] = useState(false)
  const { own } = useZones()
  const now = useNow()
  const used =
    lastUsedAt === null
      ? 'Never used'
      : `Used ${spanText(now.getTime() - new Date(lastUsedAt).getTime())} ago`
  return (
    <li className="people-row people-key">
      <p className="people-serif">{name}</p>
      <p>{new Intl.ListFormat('en').format(given.map((scope) => scopeNames[scope]))}</p>
      <p className="meta">
        {revokedAt === null
          ? used
          : `Revoked on ${dayText(dayIn(new Date(revokedAt), own), { weekday: undefined })}`}
      </p>
      {revokedAt === null && (
        <button
          type="button"
          className="plain quiet"
          aria-label={`Revoke ${name}…`}
          aria-expanded={asks}
          onClick={() => setAsks(!asks)}
        >
          Revoke…
        </button>
      )}
      {asks && revokedAt === null && (
        <div className="actions people-sure">
          <p>Scripts with this key stop working at once.</p>
          <button type="button" disabled={isPending} onClick={onRevoke}>
            Revoke {name}
          </button>
          <button type="button" className="plain quiet" onClick={() => setAsks(false)}>
            Keep
          </button>
        </div>
      )}
    </li>
  )
}

function KeyForm({ withProof }: { withProof: WithProof }) {
  const queryClient = useQueryClient()
  const nameId = useId()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<EditorScope[]>(['read'])
  const made = useMutation({
    mutationFn: () => withProof(() => makeKey({ name: name.trim(), scopes: chosen })),
    async onSuccess() {
      setName('')
      await queryClient.invalidateQueries({ queryKey: staffKey })
    },
  })
  return (
    <form
      className="people-form"
      onSubmit={(event) => {
        event.preventDefault()
        made.mutate()
      }}
    >
      <label htmlFor={nameId}>Name of the key</label>
      <div className="field-row">
        <input
          id={nameId}
          required
          maxLength={100}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <button type="submit" disabled={made.isPending || chosen.length === 0}>
          Make the key
        </button>
      </div>
      <Choices legend="It may" options={scopes} names={scopeNames} value={chosen} onChange={setChosen} />
      {made.isSuccess && (
        <ShownOnce label={`The key “${made.data.name}”.`} value={made.data.secret} onDone={made.reset} />
      )}
      <Failure text={made.error?.message ?? null} canClose />
    </form>
  )
}
