import { useQuery } from '@tanstack/react-query'
import type { CheckedLink } from '@tidings/contracts/desk/writing/readiness'
import { useId, useState } from 'react'
import { useNow } from '#lib/time/use-now.ts'
import { spanText } from '#lib/time/zoned-time.ts'
import { linkQuery } from '../state/edition-calls.ts'
import type { OpenMemo } from '../state/use-draft.ts'

type Props = { open: OpenMemo; canWrite: boolean }

/** The source of a memo. Once the field is left, the server checks where the link leads. */
export function SourceField({ open: { draft, state }, canWrite }: Props) {
  const id = useId()
  const { source } = state.text
  const [left, setLeft] = useState('')
  const isWebAddress = /^https?:\/\/[^\s/]+\.[^\s]+$/.test(left)
  const isChecked = canWrite && left === source && isWebAddress
  const link = useQuery({ ...linkQuery(left), enabled: isChecked })
  const now = useNow()
  return (
    <>
      <label htmlFor={id}>Source</label>
      <input
        id={id}
        name="source"
        type="url"
        placeholder="https://"
        value={source}
        aria-describedby={`${id}-link`}
        onChange={(event) => draft.type({ source: event.target.value })}
        onBlur={({ target }) => setLeft(target.value)}
      />
      <span
        id={`${id}-link`}
        role="status"
        className={link.data?.state === 'answers' ? 'meta' : 'meta urgent'}
      >
        {isChecked && link.isFetching && 'Checking the link…'}
        {isChecked && !link.isFetching && link.error !== null && `Not checked. ${link.error.message}`}
        {isChecked && !link.isFetching && link.data !== undefined && linkText(link.data, now)}
      </span>
    </>
  )
}

function linkText({ state, status, checkedAt, text }: CheckedLink, now: Date): string {
  switch (state) {
    case 'answers': {
      const age = checkedAt === null ? 0 : now.getTime() - Date.parse(checkedAt)
      return age < 60_000 ? 'Answers, checked just now' : `Answers, checked ${spanText(age)} ago`
    }
    case 'fails':
      return `Returns ${status ?? 'an error'}`
    case 'silent':
      return 'Doesn’t answer'
    case 'checking':
    case 'refused':
      return text
  }
}
