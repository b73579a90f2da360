import type { CalendarDate } from '@tidings/contracts/edition-key'
import { oneLine } from '#platform/one-line.ts'
import { countSegments, withoutTypography } from './gsm.ts'

export type TextSite = { name: string; language: string }

/** What a text needs of an edition, or of the editions of a day. */
type TextContent = {
  date: CalendarDate
  editions: readonly { edition: { slot: string }; memos: readonly { title: string }[] }[]
}

/** How a text is written: `isPdf` says that its link opens a PDF. */
type TextOptions = { site: TextSite; link: string; maxSegments: number; isPdf: boolean }

/**
 * Returns the text of an edition: the site's name, the slot, as many titles as fit into the segments, and the link on a
 * line of its own.
 */
export function composeText(
  { date, editions }: TextContent,
  { site, link, maxSegments, isPdf }: TextOptions,
): string {
  const slots = editions.map(({ edition }) => edition.slot).join(', ')
  const head = `${oneLine(site.name)}, ${formatShortDay(date, site.language)}, ${slots}${isPdf ? ' (PDF)' : ''}`
  const titles = editions.flatMap(({ memos }) => memos.map(({ title }) => oneLine(title)))
  const textWith = (count: number) => {
    const rest = titles.length - count
    const shown = [...titles.slice(0, count), ...(rest > 0 && count > 0 ? [`+${rest}`] : [])].join('; ')
    return withoutTypography(`${head}${shown === '' ? '' : `: ${shown}`}\n${link}`)
  }
  for (let count = titles.length; count > 0; count -= 1) {
    const text = textWith(count)
    if (countSegments(text) <= maxSegments) return text
  }
  return textWith(0)
}

function formatShortDay({ year, month, day }: CalendarDate, language: string): string {
  const format = new Intl.DateTimeFormat(language, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  })
  return format.format(Date.UTC(year, month - 1, day)).replaceAll(',', '')
}
