import type { SubjectField, SubjectFormat } from '#config/subject-format.ts'
import { dropCutWord } from '#platform/text/cut-text.ts'
import { oneLine } from '#platform/text/one-line.ts'
import { type DeliverySite, type EmailContent, formatDay, titleOf } from '../edition-content.ts'

/** The length of a whole subject in UTF-16 units: as code points or letters as people see them, it has no more. */
export const maxSubjectCharacters = 78
// A shorter start of a title says little.
const fewestTitleCharacters = 12
const pdfEnding = ' (PDF)'
const ellipsis = '…'

type SubjectContent = Pick<EmailContent, 'kind' | 'date'> & {
  editions: readonly { slot: string; memos: readonly { title: string }[] }[]
}

/** Returns the subject of an email: the digest's name, or an edition's first title in the site's format. */
export function subjectOf(
  content: SubjectContent,
  site: Pick<DeliverySite, 'name' | 'language' | 'subjectFormat'>,
): string {
  const ending = content.kind === 'pdf' ? pdfEnding : ''
  const room = maxSubjectCharacters - ending.length
  const titles = content.editions.flatMap(({ memos }) => memos.map(({ title }) => oneLine(title)))
  const title = titles.find((each) => each !== '')
  const name = oneLine(titleOf(content, site.language))
  if (content.kind === 'digest' || title === undefined) return cutWords(name, room) + ending
  const more = titles.length - 1
  const values = {
    slot: content.editions[0]?.slot ?? '',
    more: new Intl.NumberFormat(site.language).format(more),
    day: formatDay(content.date, site.language),
    site: oneLine(site.name),
  }
  const write = (title: string) =>
    oneLine(fill(site.subjectFormat, { ...values, title }, { hasMore: more > 0 }))
  // With a letter, next to which spaces stay.
  const titleRoom = Math.max(room - write('x').length + 1, fewestTitleCharacters)
  return cutWords(write(cutWords(title, titleRoom)), room) + ending
}

function fill(
  format: SubjectFormat,
  values: Readonly<Record<SubjectField, string>>,
  { hasMore }: { hasMore: boolean },
): string {
  const shown = format.filter(({ ifMore }) => hasMore || !ifMore)
  return shown.map((part) => ('words' in part ? part.words : values[part.field])).join('')
}

/** Cuts a text to at most `most` characters and an ellipsis among them: between words if possible, never within a letter. */
function cutWords(text: string, max: number): string {
  if (text.length <= max) return text
  let kept = ''
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) {
    if (kept.length + segment.length > max - ellipsis.length) break
    kept += segment
  }
  const isBetweenWords = /^\s/.test(text.slice(kept.length))
  const words = isBetweenWords ? kept : dropCutWord(kept) || kept
  // A cut pair of directions must not turn what follows.
  return oneLine(words.replace(/[\s\p{Pd},;:،、，；：]+$/u, '')) + ellipsis
}
