import { oneLine } from '#platform/text/one-line.ts'

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
