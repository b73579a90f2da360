import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { after } from '#lib/browser/timer.ts'
import { soughtQuery } from './sought.ts'

const pauseMs = 400

/** The words that find members. They stay in memory, and the search follows the typing after a short pause. */
export function MemberSearchField({ count, onSearch }: { count: string; onSearch: () => void }) {
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState(() => queryClient.getQueryData(soughtQuery.queryKey) ?? '')
  const search = useEffectEvent(() => {
    if (queryClient.getQueryData(soughtQuery.queryKey) === typed.trim()) return
    queryClient.setQueryData(soughtQuery.queryKey, typed.trim())
    onSearch()
  })
  useEffect(() => after(pauseMs, () => search()), [typed])
  return (
    <search className="members-search">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          search()
        }}
      >
        <input
          type="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          aria-label="Find a member by name, email, phone or id"
          placeholder="Name, email, phone or id"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <p role="status" className="members-count">
          {count}
        </p>
      </form>
    </search>
  )
}
