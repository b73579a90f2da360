import { useMutation, useQueryClient } from '@tanstack/react-query'
import * as routes from '@tidings/contracts/desk/routes'
import { useId, useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { ApiError, call, NetworkError } from '#lib/api/call.ts'
import { useYou } from '#lib/desk-context.ts'
import { createPasskey } from '#lib/proof/create-passkey.ts'
import { useProof } from '#lib/proof/use-proof.tsx'
import { youQuery } from '#lib/you-query.ts'

const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** Lists one's passkeys, adds one of this device, and removes others. */
export function OwnPasskeys() {
  const { passkeys } = useYou()
  const id = useId()
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const { dialog, withProof } = useProof()
  const onSuccess = ({ data }: Awaited<ReturnType<typeof remove>>) => {
    queryClient.setQueryData(youQuery.queryKey, data)
    setName('')
  }
  const adding = useMutation({ mutationFn: () => withProof(() => add(name.trim())), onSuccess })
  const removal = useMutation({
    mutationFn: (passkey: string) => withProof(() => remove(passkey)),
    onSuccess,
  })
  const error = adding.error ?? removal.error
  return (
    <section aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      {passkeys.length === 0 && <p>None. You sign in with links by email.</p>}
      <ul className="rows">
        {passkeys.map((passkey) => (
          <li key={passkey.id}>
            <span>{passkey.name}</span>
            <span className="meta">Since {date.format(new Date(passkey.createdAt))}</span>
            {passkeys.length > 1 && (
              <button
                type="button"
                aria-label={`Remove ${passkey.name}`}
                disabled={removal.isPending}
                onClick={() => removal.mutate(passkey.id)}
              >
                Remove
              </button>
            )}
          </li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          adding.mutate()
        }}
      >
        <label htmlFor={id}>Name of this device</label>
        <div className="field-row">
          <input
            id={id}
            required
            maxLength={100}
            placeholder="Phone, or laptop at home"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <button type="submit" disabled={adding.isPending}>
            Add a passkey
          </button>
        </div>
      </form>
      <Failure text={error === null ? null : failureText(error)} canClose />
      {dialog}
    </section>
  )
}

async function add(name: string) {
  const { data: options } = await call(routes.requestPasskeyOptions, {})
  return await call(routes.addPasskey, { body: { name, response: await createPasskey(options) } })
}

async function remove(id: string) {
  return await call(routes.removePasskey, { params: { id } })
}

function failureText(error: Error): string {
  if (error instanceof ApiError || error instanceof NetworkError) return error.message
  return 'No passkey was created. Try again.'
}
