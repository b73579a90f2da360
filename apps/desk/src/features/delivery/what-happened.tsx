import { useQuery } from '@tanstack/react-query'
import type { AuditEntry } from '@tidings/contracts/desk/audit'
import * as routes from '@tidings/contracts/desk/routes'
import { useId } from 'react'
import { LogRows } from '#features/people/log-rows.tsx'
import { call } from '#lib/api/call.ts'

const mostShown = 8

/** The newest changes of an edition as a whole and of its delivery, from the log. Nothing while there are none. */
export function WhatHappened({ editionKey }: { editionKey: string }) {
  const id = useId()
  const { data = [] } = useQuery({
    queryKey: ['delivery', 'log', editionKey],
    async queryFn({ signal }): Promise<AuditEntry[]> {
      const query = { edition: editionKey, limit: 100 }
      return (await call(routes.listChanges, { query }, { signal })).data
    },
  })
  const entries = data.filter(({ action }) => /^(?:edition|delivery)\./.test(action)).slice(0, mostShown)
  if (entries.length === 0) return null
  return (
    <section className="delivery-log" aria-labelledby={id}>
      <h2 id={id}>What happened</h2>
      <LogRows entries={entries} />
    </section>
  )
}
