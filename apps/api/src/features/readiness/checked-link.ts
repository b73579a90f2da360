import type { CheckedLink } from '@tidings/contracts/desk/writing/readiness'
import { z } from 'zod'
import type { LinkCheckRow } from './link-checks.repository.ts'

const outcome = z.enum(['answers', 'fails', 'silent', 'refused']).nullable()
const minuteMs = 60_000

/** Converts what is known of an address, if anything, for editors. */
export function toCheckedLink(url: string, row: LinkCheckRow | undefined, now: Date): CheckedLink {
  const known = outcome.parse(row?.outcome ?? null)
  if (row === undefined || known === null || row.checkedAt === null)
    return { url, state: 'checking', status: null, checkedAt: null, text: 'Is being checked' }
  return {
    url,
    state: known,
    status: row.status,
    checkedAt: row.checkedAt.toISOString(),
    text: textOf(known, row.status, agoOf(row.checkedAt, now)),
  }
}

/** Returns whether an address is still to be asked. */
export function isAsked(row: LinkCheckRow | undefined): boolean {
  return row === undefined || row.checkedAt === null || row.checkedAt < row.requestedAt
}

function textOf(
  known: Exclude<CheckedLink['state'], 'checking'>,
  status: number | null,
  ago: string,
): string {
  if (known === 'answers') return `Answers, checked ${ago}`
  if (known === 'fails') return `Returns ${status}, checked ${ago}`
  if (known === 'silent') return `Doesn’t answer, checked ${ago}`
  return 'Isn’t a public address, so readers can’t open it'
}

function agoOf(at: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / minuteMs)
  return minutes < 1 ? 'just now' : `${minutes} min ago`
}
