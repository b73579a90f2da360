import { useQuery } from '@tanstack/react-query'
import { checkLink } from '@tidings/contracts/desk/routes'
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import { call } from '#lib/api/call.ts'
import { addressOf, type LinkTarget } from '../commands/link.ts'

const checkAgainMs = 1000

type Props = {
  target: LinkTarget
  onSet: (link: { href: string; text: string }) => void
  onRemove: () => void
  onClose: () => void
}

/** Asks where a link leads, and checks that it does. */
export function LinkDialog({ target, onSet, onRemove, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [address, setAddress] = useState(target.href)
  const [text, setText] = useState(target.text)
  const [checked, setChecked] = useState(addressOf(target.href))
  const [problem, setProblem] = useState<string | null>(null)
  const id = useId()
  useEffect(() => dialog.current?.showModal(), [])
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const href = addressOf(address)
    if (href === null) setProblem('This isn’t an address. Write one such as https://example.org.')
    else onSet({ href, text: text.trim() })
  }
  return (
    <dialog ref={dialog} className="editor-link" aria-labelledby={`${id}-title`} onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id={`${id}-title`}>Link</h2>
        <label htmlFor={`${id}-address`}>Address</label>
        <input
          id={`${id}-address`}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          value={address}
          aria-describedby={`${id}-state`}
          onChange={(event) => {
            setAddress(event.target.value)
            setProblem(null)
          }}
          onBlur={() => setChecked(addressOf(address))}
        />
        <p id={`${id}-state`} role="status" className="meta">
          {problem ?? <LinkState href={checked} />}
        </p>
        <label htmlFor={`${id}-text`}>Text</label>
        <input id={`${id}-text`} value={text} onChange={(event) => setText(event.target.value)} />
        <div className="actions">
          <button type="submit" className="filled">
            Set link
          </button>
          {target.href !== '' && (
            <button type="button" onClick={onRemove}>
              Remove
            </button>
          )}
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  )
}

/** Says what the server knows about an address. Mailboxes can't be asked. */
function LinkState({ href }: { href: string | null }) {
  const url = href?.startsWith('http') ? href : null
  const { data, error } = useQuery({
    queryKey: ['links', url],
    queryFn: ({ signal }) => call(checkLink, { body: { url: url ?? '' } }, { signal }),
    enabled: url !== null,
    retry: false,
    refetchInterval: ({ state }) => (state.data?.data.state === 'checking' ? checkAgainMs : false),
  })
  if (url === null) return null
  if (error) return 'The link can’t be checked now. You can set it all the same.'
  return data?.data.text ?? 'Checking…'
}
