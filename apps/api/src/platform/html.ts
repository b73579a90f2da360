import sanitizeHtml from 'sanitize-html'

declare const cleaned: unique symbol

/** HTML that `cleanHtml` has let through; nothing else makes one, so it may be shown as it is. */
export type SafeHtml = string & { readonly [cleaned]: true }

const deepestNesting = 30
const mostPasses = 8
const linkProtocols = new Set(['http:', 'https:', 'mailto:'])
const blockTags = ['p', 'h2', 'h3', 'ul', 'ol', 'li', 'blockquote']
const inlineTags = ['strong', 'b', 'em', 'i', 'u', 's', 'a', 'code', 'sup', 'sub', 'abbr']
const emptyTags = ['br', 'hr']

// Their contents are no prose, or are read by browsers by other rules than the rest of the page.
const tagsDroppedWhole = [
  'script',
  'style',
  'textarea',
  'option',
  'xmp',
  'noscript',
  'noembed',
  'noframes',
  'template',
  'title',
  'svg',
  'math',
  'object',
]

const rules: sanitizeHtml.IOptions = {
  allowedTags: [...blockTags, ...inlineTags, ...emptyTags],
  allowedAttributes: { a: ['href', 'rel', 'target'], abbr: ['title'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nonTextTags: tagsDroppedWhole,
  nestingLimit: deepestNesting,
  exclusiveFilter: ({ tag, attribs }) => (tag === 'a' && !attribs.href ? 'excludeTag' : false),
  transformTags: {
    a: (_tag, { href = '' }) => link(href),
    h1: 'h2',
    h4: 'h3',
    h5: 'h3',
    h6: 'h3',
    del: 's',
    strike: 's',
  },
}

/**
 * Makes what an editor wrote fit to be shown: prose, lists, headings and links to other sites stay, everything
 * that could run, load, style or submit goes. Cleaning what is clean changes nothing.
 */
export function cleanHtml(dirty: string): SafeHtml {
  const html = untilNothingChanges(dirty)
  // biome-ignore lint/plugin: the brand exists only for the compiler, and this line is what it stands for.
  return html as SafeHtml
}

/** The words of a piece of HTML, one line for each block, without tags or entities. */
export function plainText(html: string): string {
  const lineEnds = new RegExp(`</(?:${blockTags.join('|')})>|<(?:${emptyTags.join('|')}) ?/?>`, 'g')
  const broken = cleanHtml(html).replace(/\s+/g, ' ').replace(lineEnds, '$&\n')
  return decodeEscapes(sanitizeHtml(broken, { allowedTags: [] }))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

// Taking a tag out can leave its neighbours nested in a way that reads differently the next time, and what reads
// differently twice is how cleaned markup comes alive again. What never settles is kept as bare words.
function untilNothingChanges(html: string): string {
  let before = html
  for (let pass = 0; pass < mostPasses; pass++) {
    const after = withoutControlCharacters(sanitizeHtml(withoutControlCharacters(before), rules)).trim()
    if (after === before) return after
    before = after
  }
  return sanitizeHtml(before, { allowedTags: [] }).trim()
}

/** A link that opens elsewhere and tells nothing of where it came from; without an honest address, just its words. */
function link(href: string): sanitizeHtml.Tag {
  const url = URL.parse(href)
  if (!url || !linkProtocols.has(url.protocol) || url.username || url.password) {
    return { tagName: 'a', attribs: {} }
  }
  if (url.protocol === 'mailto:') return { tagName: 'a', attribs: { href: url.href } }
  return { tagName: 'a', attribs: { href: url.href, rel: 'noopener noreferrer', target: '_blank' } }
}

// Postgres stores no NUL and no half of a surrogate pair, and the rest only hides things.
function withoutControlCharacters(text: string): string {
  return text.toWellFormed().replace(/[^\P{Cc}\t\n\r]/gu, '')
}

/** Undoes the four escapes that the cleaner writes; `&amp;` last, so that an escaped escape stays one. */
function decodeEscapes(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
