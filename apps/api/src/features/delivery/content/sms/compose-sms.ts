import type { CalendarDate } from '@tidings/contracts/edition-key'
import { dropCutWord } from '#platform/text/cut-text.ts'
import { oneLine } from '#platform/text/one-line.ts'
import { countSegments } from './gsm.ts'
import { toGsm } from './to-gsm.ts'

export type SmsSite = { name: string; language: string }

/** The parts of an edition, or of the editions of a day, that a text shows. */
type SmsContent = {
  date: CalendarDate
  editions: readonly { edition: { slot: string }; memos: readonly { title: string }[] }[]
}

/** The style of a text: with `isPdf` its link opens a PDF, `ending` is a last line. */
type SmsOptions = { site: SmsSite; link: string; maxSegments: number; isPdf: boolean; ending?: string }

/** Writes words in an encoding; returns null for words that would be lost. */
type Encoding = { write(words: string): string | null; ellipsis: string }

const gsm: Encoding = { write: toGsm, ellipsis: '...' }
const ucs2: Encoding = { write: (words) => words.normalize('NFC'), ellipsis: '…' }

/** A text, and how many letters, digits and signs of the titles it has. */
type Candidate = { text: string; letters: number }

/** The words of a text in one encoding. */
type Words = { name: string; rest: string; titles: string[]; leftOut: number }

// Fewer letters of a title say nothing.
const fewestLetters = 4

/**
 * Returns the text of an edition: the site's name, the slot, as many titles as fit into the segments, and the link on a
 * line of its own. It is written in GSM 03.38, unless UCS-2 keeps more of the titles.
 */
export function composeSms(content: SmsContent, options: SmsOptions): string {
  const inGsm = compose(content, options, gsm)
  if (inGsm?.isComplete) return inGsm.text
  const inUcs2 = compose(content, options, ucs2)
  return inGsm !== null && inGsm.letters >= (inUcs2?.letters ?? 0)
    ? inGsm.text
    : (inUcs2?.text ?? options.link)
}

/** Writes a text in one encoding; returns null if it lacks the site's name, the day or the slot. */
function compose(
  content: SmsContent,
  { site, link, maxSegments, isPdf, ending }: SmsOptions,
  encoding: Encoding,
): (Candidate & { isComplete: boolean }) | null {
  const words = wordsOf(content, { site, isPdf }, encoding)
  if (words === null) return null
  const { titles, leftOut } = words
  const textWith = (line: string) => [line, link, ...(ending === undefined ? [] : [ending])].join('\n').trim()
  const fits = (line: string) => countSegments(textWith(line)) <= maxSegments
  const name = shorten(words.name, encoding, (each) => fits(`${each}${words.rest}`))
  const head = `${name}${words.rest}`.replace(/^, /, '')
  const lineWith = (shown: readonly string[]) => {
    const rest = titles.length - shown.length + leftOut
    return `${head}: ${[...shown, ...(rest > 0 ? [`+${rest}`] : [])].join('; ')}`
  }
  const candidate = (shown: readonly string[]) => ({
    text: textWith(lineWith(shown)),
    letters: lettersIn(shown.join('')),
    isComplete: leftOut === 0,
  })
  for (let count = titles.length; count > 0; count -= 1) {
    const shown = titles.slice(0, count)
    if (fits(lineWith(shown))) return candidate(shown)
  }
  const start = shorten(titles[0] ?? '', encoding, (each) => fits(lineWith([each])))
  if (lettersIn(start) >= fewestLetters) return candidate([start])
  return { text: textWith(fits(head) ? head : ''), letters: 0, isComplete: leftOut === 0 }
}

/** Returns the words of a text, without titles that this encoding would empty. */
function wordsOf(
  { date, editions }: SmsContent,
  { site, isPdf }: Pick<SmsOptions, 'site' | 'isPdf'>,
  { write }: Encoding,
): Words | null {
  const slots = editions.map(({ edition }) => edition.slot).join(', ')
  const name = write(oneLine(site.name))
  const rest = write(`, ${formatShortDay(date, site.language)}, ${slots}${isPdf ? ' (PDF)' : ''}`)
  if (name === null || rest === null) return null
  const all = editions.flatMap(({ memos }) => memos.map(({ title }) => write(oneLine(title))))
  const titles = all.flatMap((title) => title ?? [])
  return { name, rest, titles, leftOut: all.length - titles.length }
}

/** Returns the longest start of some words that fits, with an ellipsis: whole if possible, and never with half a letter. */
function shorten(words: string, { ellipsis }: Encoding, fits: (words: string) => boolean): string {
  if (words === '' || fits(words)) return words
  const letters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(words)]
  for (let count = letters.length - 1; count > 0; count -= 1) {
    const start = words.slice(0, letters[count]?.index)
    if (fits(start + ellipsis)) return dropCutWord(start) + ellipsis
  }
  return ''
}

function lettersIn(words: string): number {
  return words.match(/[^\s\p{M}\p{C}\p{P}]/gu)?.length ?? 0
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
