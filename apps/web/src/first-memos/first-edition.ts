import { formatWireDate } from '@tidings/contracts/edition-key'
import type { SiteStart } from '@tidings/contracts/site/site-start'
import { localDate } from '#lib/format/calendar.ts'

/**
 * Returns the key of the edition that the page will show first; null when only the page's script can tell, or when the
 * requester may not read.
 * @param hash the address behind the `#`, with it
 */
export function firstEditionKey(
  { editions }: Pick<SiteStart, 'editions'>,
  hash: string,
  now: Date,
): string | null {
  if (editions === undefined) return null
  const chosen = /^#\/edition\/([\w-]+)$/.exec(hash)?.[1]
  if (chosen !== undefined) return chosen
  if (!/^(#\/?(home)?)?$/.test(hash)) return null
  const today = formatWireDate(localDate(now))
  const day = editions.timeLists.find(({ date }) => date === today)
  if (day === undefined) return null
  const slot = day.timeStamp.at(-1)
  return slot === undefined ? editions.newest : `${today}-${slot}`
}
