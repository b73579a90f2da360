import './entrance.css'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@tidings/contracts/limits'
import { type ReactNode, useId, useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { ApiError, NetworkError } from '#lib/api/call.ts'
import { youQuery } from '#lib/you-query.ts'
import { requestLink, signInWithPasskey } from './sign-in-calls.ts'

/** Signs in with a passkey, or asks for a link by email. `beside` stands next to the first button. */
export function SignInForm({ beside }: { beside?: ReactNode }) {
  const queryClient = useQueryClient()
  const [email, setEmail] = useState('')
  const emailId = useId()
  const passkey = useMutation({
    mutationFn: signInWithPasskey,
    async onSuccess(you) {
      queryClient.setQueryData(youQuery.queryKey, you)
      // Queries that failed without a session read again.
      await queryClient.invalidateQueries()
    },
  })
  const link = useMutation({ mutationFn: () => requestLink(email) })
  return (
    <div className="sign-in">
      <div className="sign-in-first">
        <button
          type="button"
          className="filled"
          disabled={passkey.isPending}
          onClick={() => passkey.mutate()}
        >
          Sign in with a passkey
        </button>
        {beside}
      </div>
      <p className="meta">Your device asks for your finger, face or PIN.</p>
      <Failure text={passkey.error === null ? null : passkeyText(passkey.error)} />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          link.mutate()
        }}
      >
        <label htmlFor={emailId}>No passkey on this device? Get a link by email</label>
        <div className="sign-in-field">
          <input
            id={emailId}
            type="email"
            autoComplete="email"
            required
            placeholder="you@example.com"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
          <button type="submit" className="plain" disabled={link.isPending}>
            Send
          </button>
        </div>
        <p className="sign-in-note">
          The link works once, for {limits.signInLinkMinutes} minutes, in this browser. Then add a passkey
          here.
        </p>
        <p role="status">{link.data}</p>
        <Failure text={link.error?.message ?? null} />
      </form>
      <p className="meta">Editor keys are for scripts and don’t sign in here.</p>
    </div>
  )
}

function passkeyText(error: Error): string {
  if (error instanceof ApiError || error instanceof NetworkError) return error.message
  return 'No passkey was used. Try again, or get a link by email.'
}
