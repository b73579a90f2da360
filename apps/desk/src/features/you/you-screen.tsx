import './you.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import * as routes from '@tidings/contracts/desk/routes'
import { deviceName } from '@tidings/contracts/membership/device-name'
import { useId, useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { call } from '#lib/api/call.ts'
import { useYou } from '#lib/desk-context.ts'
import { youQuery } from '#lib/you-query.ts'
import { LetterKeysSwitch } from './letter-keys-switch.tsx'
import { OwnPasskeys } from './own-passkeys.tsx'

const sessionsKey = ['you', 'sessions']
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** Shows one's own name, zone, passkeys, keys and sessions. */
export function YouScreen() {
  const you = useYou()
  return (
    <div className="page narrow">
      <h1>{you.name}</h1>
      <p className="meta">
        {you.email} · {new Intl.ListFormat('en').format(you.roles)}
      </p>
      <NameForm />
      <OwnPasskeys />
      <LetterKeysSwitch />
      <Sessions />
      <SignOut />
    </div>
  )
}

function NameForm() {
  const you = useYou()
  const queryClient = useQueryClient()
  const [name, setName] = useState(you.name)
  const [zone, setZone] = useState(you.timeZone ?? '')
  const ids = { name: useId(), zone: useId() }
  const save = useMutation({
    mutationFn: () => call(routes.changeYou, { body: { name, timeZone: zone === '' ? null : zone } }),
    onSuccess: ({ data }) => queryClient.setQueryData(youQuery.queryKey, data),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <label htmlFor={ids.name}>Your name</label>
      <input
        id={ids.name}
        required
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <label htmlFor={ids.zone}>Time zone of your clock</label>
      <select id={ids.zone} value={zone} onChange={(event) => setZone(event.target.value)}>
        <option value="">As this browser</option>
        {Intl.supportedValuesOf('timeZone').map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <div className="actions">
        <button type="submit" disabled={save.isPending}>
          Save
        </button>
        <p role="status">{save.isSuccess && 'Saved.'}</p>
      </div>
      <Failure text={save.error?.message ?? null} canClose />
    </form>
  )
}

function Sessions() {
  const queryClient = useQueryClient()
  const { data, error } = useQuery({
    queryKey: sessionsKey,
    queryFn: async ({ signal }) => (await call(routes.listSessions, {}, { signal })).data,
  })
  const end = useMutation({
    mutationFn: (id: string) => call(routes.endSession, { params: { id } }),
    onSuccess: (reply) => queryClient.setQueryData(sessionsKey, reply.data),
  })
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Where you are signed in</h2>
      {data === undefined && error === null && <p className="loading">Loading…</p>}
      {data !== undefined && (
        <ul className="rows">
          {data.map(({ id, device, lastUsedAt, isCurrent }) => (
            <li key={id}>
              <span title={device}>{deviceName(device)}</span>
              <span className="meta">
                {isCurrent ? 'This device' : `Used ${date.format(new Date(lastUsedAt))}`}
              </span>
              {!isCurrent && (
                <button
                  type="button"
                  aria-label={`End: ${deviceName(device)}`}
                  disabled={end.isPending}
                  onClick={() => end.mutate(id)}
                >
                  End
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <Failure text={(error ?? end.error)?.message ?? null} />
    </section>
  )
}

function SignOut() {
  const queryClient = useQueryClient()
  const out = useMutation({
    mutationFn: () => call(routes.signOut, {}),
    onSuccess() {
      queryClient.clear()
      location.assign('/desk/sign-in')
    },
  })
  return (
    <div className="actions">
      <button type="button" disabled={out.isPending} onClick={() => out.mutate()}>
        Sign out
      </button>
      <Failure text={out.error?.message ?? null} canClose />
    </div>
  )
}
