import './test-send.css'
import { useId, useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { Modal } from '#components/modal.tsx'
import { useYou } from '#lib/desk-context.ts'
import type { TestedEdition, TestMethod } from './test-calls.ts'
import { useTest } from './use-test.ts'

type Props = {
  slot: string
  edition: TestedEdition
  /** The method to begin with. */
  first: TestMethod
  close: () => void
}

const methods: readonly { method: TestMethod; text: string; isByNumber: boolean }[] = [
  { method: 'memo-email', text: 'Email', isByNumber: false },
  { method: 'pdf-email', text: 'PDF, by email', isByNumber: false },
  { method: 'digest', text: 'Digest of the day, by email', isByNumber: false },
  { method: 'memo-sms', text: 'Text message', isByNumber: true },
  { method: 'pdf-sms', text: 'Link to the PDF, by text message', isByNumber: true },
]

/** Sends an edition to one address or number. Writers send it to themselves. */
export function TestDialog({ slot, edition: { day, unsaved }, first, close }: Props) {
  const { email, roles } = useYou()
  const toAnyone = roles.some((role) => role === 'editor' || role === 'owner')
  const offered = methods.filter(({ isByNumber }) => toAnyone || !isByNumber)
  const [method, setMethod] = useState(offered.find((each) => each.method === first)?.method ?? 'memo-email')
  const [addresses, setAddresses] = useState({ email, number: '' })
  const toId = useId()
  const isByNumber = methods.some((each) => each.method === method && each.isByNumber)
  const to = isByNumber ? addresses.number.replaceAll(/[\s().-]/g, '') : addresses.email.trim()
  const { send, recipient, failure, isPending, isSuccess, reset } = useTest()
  return (
    <Modal title={`Send a test of ${slot}`} close={close}>
      <p className="meta">
        {unsaved.memos === undefined
          ? 'The memos as they are saved, with the subject of the dialog.'
          : 'With the words not saved yet, the subject too.'}{' '}
        It is marked [Test] and isn’t counted. Its own links only say that it is a test.
      </p>
      <form
        className="test-send"
        onSubmit={(event) => {
          event.preventDefault()
          send({ day, unsaved, method, to })
        }}
      >
        <fieldset>
          <legend className="meta">As</legend>
          {offered.map((each) => (
            <label key={each.method}>
              <input
                type="radio"
                name="method"
                checked={each.method === method}
                onChange={() => {
                  setMethod(each.method)
                  reset()
                }}
              />
              {each.text}
            </label>
          ))}
        </fieldset>
        {method === 'pdf-email' && (
          <p className="meta">With phone pages. Members who chose A4 get A4 pages.</p>
        )}
        <label htmlFor={toId}>{isByNumber ? 'Phone number, with its country code' : 'Email address'}</label>
        <input
          id={toId}
          type={isByNumber ? 'tel' : 'email'}
          required
          readOnly={!toAnyone}
          placeholder={isByNumber ? '+1 202 555 0123' : undefined}
          value={isByNumber ? addresses.number : addresses.email}
          onChange={({ target: { value } }) => {
            setAddresses((last) => ({ ...last, [isByNumber ? 'number' : 'email']: value }))
            reset()
          }}
        />
        {!toAnyone && <p className="meta">Writers send tests to themselves. Editors send them to anyone.</p>}
        <p role="status">{isSuccess ? `Sent to ${recipient}.` : ''}</p>
        <Failure text={failure ?? null} canClose />
        <div className="actions">
          <button type="button" onClick={close}>
            Close
          </button>
          <button type="submit" className="filled" disabled={isPending || isSuccess}>
            {isPending ? 'Sending…' : 'Send test'}
          </button>
        </div>
      </form>
    </Modal>
  )
}
