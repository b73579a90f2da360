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
  editions: readonly { slot: string; subject?: string; memos: readonly { title: string }[] }[]
}

/** Returns the subject of an email: the digest's name, what an editor wrote, or the first title in the site's format. */
export function subjectOf(
  content: SubjectContent,
  site: Pick<DeliverySite, 'name' | 'language' | 'subjectFormat'>,
): string {
  const ending = content.kind === 'pdf' ? pdfEnding : ''
  const room = maxSubjectCharacters - ending.length
  const written = oneLine(content.editions[0]?.subject ?? '')
  if (content.kind !== 'digest' && written !== '') return cutWords(written, room) + ending
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
export function cutWords(text: string, max: number): string {
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

// Leaves room for the name of the header on a line of 76.
const wordBytes = 39
// Atoms (RFC 5322, 3.2.3), short enough to fold. All other phrases need encoded words.
const plainPhrase = /^[\w-]{1,60}(?: [\w-]{1,60})*$/

/** Returns a List-Id (RFC 2919): the site's name and the kind of list for people, and an id for programs. */
export function listIdOf(site: { name: string; url: URL }, kind: string): string {
  const phrase = `${oneLine(site.name)} ${kind}`.trim()
  return `${plainPhrase.test(phrase) ? phrase : encodedWords(phrase)} <${kind}.${listDomain(site.url)}>`
}

/** Returns text in encoded words (RFC 2047), none of which splits a character. */
function encodedWords(text: string): string {
  const words: string[] = []
  for (const character of text.toWellFormed()) {
    const longer = (words.at(-1) ?? '') + character
    if (words.length > 0 && Buffer.byteLength(longer) <= wordBytes) words[words.length - 1] = longer
    else words.push(character)
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ')
}

/** Returns the host as a list domain, which has no place for an IPv6 address. */
function listDomain({ hostname }: URL): string {
  return hostname.startsWith('[') ? 'localhost' : hostname.replace(/\.$/, '')
}
