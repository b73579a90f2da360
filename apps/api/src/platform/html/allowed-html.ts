/** A sanitized value, or undefined when the attribute goes. */
type CleanAttribute = (value: string) => string | undefined

export const headingTags = ['h2', 'h3']
export const listTags = ['ul', 'ol']
const cellTags = ['th', 'td']
const sectionTags = ['thead', 'tbody', 'tfoot']

/** The parts of a table with the elements that may hold them. */
export const tableParents: Readonly<Record<string, readonly string[]>> = {
  caption: ['table'],
  ...Object.fromEntries(sectionTags.map((tag) => [tag, ['table']])),
  tr: sectionTags,
  ...Object.fromEntries(cellTags.map((tag) => [tag, ['tr']])),
}

/** Parts of a table whose children are parts again. */
export const tableStructureTags = ['table', ...sectionTags, 'tr']

/** The other parts, which hold the words. */
export const tableTextTags = ['caption', ...cellTags]

export const blockTags = [...headingTags, ...listTags, 'p', 'li', 'blockquote', 'table', 'hr']
export const inlineTags = 'strong b em i u s ins a code sup sub abbr span bdi bdo ruby rt rp'.split(' ')
export const voidTags = ['br', 'hr']

export const renamedTags: Readonly<Record<string, string>> = {
  h1: 'h2',
  h4: 'h3',
  h5: 'h3',
  h6: 'h3',
  del: 's',
  strike: 's',
  menu: 'ul',
  dir: 'ul',
}

/** Other block elements. Their words become paragraphs, so that they stay apart. */
export const paragraphTags =
  'address article aside center dd details dialog div dl dt fieldset figcaption figure footer form header hgroup legend listing main nav optgroup pre search section summary'.split(
    ' ',
  )

/** Elements that keep the line breaks of their text. */
export const preformattedTags = ['pre', 'listing']

/** Elements whose content is not prose, or which browsers parse by other rules. */
export const discardedTags =
  'script style textarea option xmp noscript noembed noframes iframe template title svg math object'.split(
    ' ',
  )

/** Elements whose content is text up to their end tag, wherever that is. */
export const rawTextTags = 'textarea xmp noscript noembed noframes iframe title'.split(' ')

const linkProtocols = new Set(['http:', 'https:', 'mailto:'])
const span = matching(/^(?:[1-9]|1\d|20)$/)
const ordinal = matching(/^-?\d{1,9}$/)

const everywhere: Readonly<Record<string, CleanAttribute>> = {
  dir: matching(/^(?:ltr|rtl|auto)$/i),
  lang: matching(/^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,6}$/i),
}

const ofTag: Readonly<Record<string, Readonly<Record<string, CleanAttribute>>>> = {
  a: { href: cleanAddress },
  abbr: { title: (value) => value },
  ol: { start: ordinal, type: matching(/^[1aAiI]$/) },
  li: { value: ordinal },
  th: { colspan: span, rowspan: span, scope: matching(/^(?:row|col|rowgroup|colgroup)$/i) },
  td: { colspan: span, rowspan: span },
}

/** Returns the attributes that an allowed element keeps, and what the others are called. Only the address of a link matters. */
export function cleanAttributes(
  tag: string,
  attributes: Readonly<Record<string, string>>,
): { kept: Record<string, string>; dropped: string[] } {
  const rules = { ...ofTag[tag], ...everywhere }
  const kept: Record<string, string> = {}
  const dropped: string[] = []
  for (const [name, value] of Object.entries(attributes)) {
    const clean = Object.hasOwn(rules, name) ? rules[name]?.(value) : undefined
    if (clean !== undefined) kept[name] = clean
    else if (tag !== 'a' && !saysNothing(tag, name)) dropped.push(name)
    else if (name === 'href') dropped.push('link without an http, https or mailto address')
  }
  return { kept, dropped }
}

/** Returns whether readers see nothing of an attribute: where a change is from, whether details are open, what mail it was. */
function saysNothing(tag: string, name: string): boolean {
  return ['cite', 'datetime', 'open'].includes(name) || (tag === 'blockquote' && name === 'type')
}

/** Returns the address of a link to another site or a mailbox; undefined for any other. */
function cleanAddress(href: string): string | undefined {
  const url = URL.parse(href)
  if (!url || !linkProtocols.has(url.protocol) || url.username || url.password) return undefined
  return url.href
}

function matching(pattern: RegExp): CleanAttribute {
  return (value) => (pattern.test(value.trim()) ? value.trim() : undefined)
}
