import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ApiError, NetworkError } from '#lib/api/call.ts'
import { useYou } from '#lib/desk-context.ts'
import { youQuery } from '#lib/you-query.ts'
import { proveWithPasskey, sendProofLink } from './proof-calls.ts'

/** Asks the person to show that it is them, by a passkey or by a new link. */
export function ProofDialog({ onProved, onCancel }: { onProved: () => void; onCancel: () => void }) {
  const { proof, email } = useYou()
  const queryClient = useQueryClient()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  const passkey = useMutation({
    mutationFn: proveWithPasskey,
    onSuccess(you) {
      queryClient.setQueryData(youQuery.queryKey, you)
      onProved()
    },
  })
  const link = useMutation({ mutationFn: () => sendProofLink(email) })
  const error = passkey.error ?? link.error
  return (
    <dialog ref={dialog} aria-labelledby="proof-title" onClose={onCancel}>
      <h2 id="proof-title">Show that it is you</h2>
      {proof === 'passkey' ? (
        <p>Use your passkey once more. For ten minutes, the desk then asks for it no more.</p>
      ) : (
        <p>You have no passkey here. Get a link by email, open it in this browser, and then go on.</p>
      )}
      <div className="actions">
        {proof === 'passkey' ? (
          <button
            type="button"
            className="filled"
            disabled={passkey.isPending}
            onClick={() => passkey.mutate()}
          >
            Use your passkey
          </button>
        ) : (
          <>
            <button type="button" disabled={link.isPending} onClick={() => link.mutate()}>
              Send the link
            </button>
            {link.isSuccess && (
              <button type="button" className="filled" onClick={onProved}>
                Go on
              </button>
            )}
          </>
        )}
        <button type="button" className="plain" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </div>
      <p role="status">{link.data}</p>
      <p role="alert" className="failure">
        {error === null ? null : textOf(error)}
      </p>
    </dialog>
  )
}

function textOf(error: Error): string {
  if (error instanceof ApiError || error instanceof NetworkError) return error.message
  return 'No passkey was used. Try again.'
}
