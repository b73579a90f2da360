import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { unconfirmedQuery } from '#features/delivery/delivery-queries.ts'
import { commentCounts } from '#lib/comment-counts.ts'
import { useYou, useZones } from '#lib/desk-context.ts'
import { useNow } from '#lib/time/use-now.ts'
import { dayIn } from '#lib/time/zoned-time.ts'
import { heldQuery, needsQuery, oldestReport } from './needs-queries.ts'
import { type NeedsRow, needsRows } from './needs-rows.ts'

type Needs = {
  /** The most urgent first; without what can't be read. */
  rows: NeedsRow[]
  /** Whether nothing is shown yet. */
  isLoading: boolean
  isKnown: boolean
  error: Error | null
}

/** Returns what waits for a decision. */
export function useNeeds(): Needs {
  const held = useQuery(heldQuery)
  const unconfirmed = useQuery(unconfirmedQuery)
  const needs = useQuery(needsQuery)
  const comments = useQuery(commentCounts)
  const reported = comments.data?.reported ?? 0
  const oldest = useQuery({ ...oldestReport, enabled: reported > 0 })
  const { site } = useZones()
  const now = useNow()
  const seesMembers = useYou().roles.some((role) => role === 'editor' || role === 'owner')
  const reads = [held, unconfirmed, needs, comments]
  const error = reads.find((read) => read.error !== null)?.error ?? null
  // All rows at once: one that a person is about to choose must not move.
  const isRead = [...reads, ...(reported > 0 ? [oldest] : [])].every(
    ({ data, failureCount }) => data !== undefined || failureCount > 0,
  )
  const [wasRead, setRead] = useState(false)
  if (isRead && !wasRead) setRead(true)
  const isLoading = !isRead && !wasRead
  const isKnown = !isLoading && reads.every(({ data }) => data !== undefined)
  const rows = needsRows(
    {
      held: held.data ?? [],
      unconfirmed: unconfirmed.data ?? [],
      needs: needs.data ?? {
        failedSends: [],
        leftOut: [],
        deadLinks: [],
        bounces: { emails: 0, suppressed: 0 },
      },
      reported,
      oldest: oldest.data ?? null,
    },
    { today: dayIn(now, site), now, siteZone: site, seesMembers },
  )
  return { rows: isLoading ? [] : rows, isLoading, isKnown, error }
}
