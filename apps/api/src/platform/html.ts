import sanitizeHtml from 'sanitize-html'

declare const cleaned: unique symbol

/** HTML that is safe to show; only {@link cleanHtml} creates it. */
export type SafeHtml = string & { readonly [cleaned]: true }

const maxNesting = 30
const maxPasses = 8
const linkProtocols = new Set(['http:', 'https:', 'mailto:'])
const blockTags = ['p', 'h2', 'h3', 'ul', 'ol', 'li', 'blockquote']
const cellTags = ['th', 'td']
const tableTags = ['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', ...cellTags]
const inlineTags = 'strong b em i u s a code sup sub abbr span bdi bdo ruby rt rp'.split(' ')
const emptyTags = ['br', 'hr']
const allowedTags = [...blockTags, ...tableTags, ...inlineTags, ...emptyTags]

const renamedTags: Readonly<Record<string, string>> = {
  h1: 'h2',
  h4: 'h3',
  h5: 'h3',
  h6: 'h3',
  del: 's',
  strike: 's',
  menu: 'ul',
}

// Other block elements become paragraphs, so that their words stay apart.
const paragraphTags =
  'address article aside center dd details dialog div dl dt fieldset figcaption figure footer form header hgroup legend main nav pre search section summary'.split(
    ' ',
  )

// Elements whose content is not prose, or which browsers parse by other rules.
const discardedTags =
  'script style textarea option xmp noscript noembed noframes template title svg math object'.split(' ')

const languageTag = /^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,6}$/i
const validValues: Readonly<Record<string, RegExp>> = {
  dir: /^(?:ltr|rtl|auto)$/i,
  lang: languageTag,
  colspan: /^(?:[1-9]|1\d|20)$/,
  rowspan: /^(?:[1-9]|1\d|20)$/,
  scope: /^(?:row|col|rowgroup|colgroup)$/i,
}

/** Creates the rules of one run. They count open tables, because nested tables are flattened. */
function createRules(): sanitizeHtml.IOptions {
  let openTables = 0
  const tablePart = (tag: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag => {
    if (openTables === 1) return { tagName: tag, attribs }
    return { tagName: [...cellTags, 'caption'].includes(tag) ? 'p' : 'dropped', attribs }
  }
  return {
    allowedTags,
    allowedAttributes: {
      '*': ['dir', 'lang'],
      a: ['href', 'rel', 'target'],
      abbr: ['title'],
      th: ['colspan', 'rowspan', 'scope'],
      td: ['colspan', 'rowspan'],
    },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    nonTextTags: discardedTags,
    nestingLimit: maxNesting,
    onOpenTag: (tag) => {
      if (tag === 'table') openTables++
    },
    onCloseTag: (tag) => {
      if (tag === 'table') openTables--
    },
    exclusiveFilter: ({ tag, text }) => (tag === 'p' || tag === 'table') && text.trim() === '',
    transformTags: {
      ...renamedTags,
      ...Object.fromEntries(paragraphTags.map((tag) => [tag, 'p'])),
      ...Object.fromEntries(tableTags.map((tag) => [tag, tablePart])),
      a: (_tag, attribs) => link(attribs),
      span: (_tag, attribs) => ({ tagName: attribs.dir || attribs.lang ? 'span' : 'dropped', attribs }),
      '*': (tagName, attribs) => ({ tagName, attribs: withValidValues(attribs) }),
    },
  }
}

/**
 * Returns what an editor wrote with its prose, lists, headings, simple tables and links to other sites, without anything
 * that could run, load, style or submit. Other block elements become paragraphs. Cleaning clean HTML changes nothing.
 */
export function cleanHtml(dirty: string): SafeHtml {
  const html = sanitizeUntilStable(dirty)
  // biome-ignore lint/plugin: the brand exists only for the compiler, and this line is what it stands for.
  return html as SafeHtml
}

/**
 * Lists what {@link cleanHtml} removes: tags such as `<script>`, attributes such as `style`, and links without an
 * http, https or mailto address. Each is listed once, in order of appearance, without what paragraphs replace.
 */
export function listRemoved(dirty: string): string[] {
  const removed = new Set<string>()
  const renamed = new Set([...Object.keys(renamedTags), ...paragraphTags])
  let droppedDepth = 0
  sanitizeHtml(dirty, {
    ...createRules(),
    onOpenTag: (tag, attribs) => {
      if (droppedDepth > 0 || discardedTags.includes(tag)) droppedDepth++
      if (droppedDepth > 1) return
      if (!allowedTags.includes(tag) && !renamed.has(tag)) removed.add(`<${tag}>`)
      else for (const attribute of removedAttributes(tag, attribs)) removed.add(attribute)
    },
    onCloseTag: () => {
      if (droppedDepth > 0) droppedDepth--
    },
  })
  return [...removed]
}

function removedAttributes(tag: string, attribs: sanitizeHtml.Attributes): string[] {
  if (tag === 'a') {
    const isKept = link(attribs).attribs.href !== undefined
    return attribs.href === undefined || isKept ? [] : ['link without an http, https or mailto address']
  }
  const kept = withValidValues(attribs)
  return Object.keys(attribs).filter(
    (name) => !(name in validValues && name in kept) && !(tag === 'abbr' && name === 'title'),
  )
}

/** Returns the words of a piece of HTML, one line for each block or table row, without tags or entities. */
export function plainText(html: string): string {
  const lineTags = [...blockTags, 'caption', 'tr'].join('|')
  const lineEnds = new RegExp(`</(?:${lineTags})>|<(?:${emptyTags.join('|')}) ?/?>`, 'g')
  const cellEnds = new RegExp(`</(?:${cellTags.join('|')})>`, 'g')
  const broken = cleanHtml(html).replace(/\s+/g, ' ').replace(cellEnds, ' $&').replace(lineEnds, '$&\n')
  return decodeEscapes(sanitizeHtml(broken, { allowedTags: [] }))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

// Removing a tag can change how its neighbors nest, and markup that parses differently twice may become active again.
// HTML that never becomes stable is reduced to text.
function sanitizeUntilStable(html: string): string {
  let before = html
  for (let pass = 0; pass < maxPasses; pass++) {
    const after = withoutControlCharacters(
      sanitizeHtml(withoutControlCharacters(before), createRules()),
    ).trim()
    if (after === before) return after
    before = after
  }
  return sanitizeHtml(before, { allowedTags: [] }).trim()
}

/** Opens links in a new tab without a referrer; reduces links without a valid address to their text. */
function link({ href = '', ...others }: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const url = URL.parse(href)
  const { rel: _rel, target: _target, ...attribs } = others
  if (!url || !linkProtocols.has(url.protocol) || url.username || url.password)
    return { tagName: 'dropped', attribs }
  if (url.protocol === 'mailto:') return { tagName: 'a', attribs: { href: url.href, ...attribs } }
  return {
    tagName: 'a',
    attribs: { href: url.href, rel: 'noopener noreferrer', target: '_blank', ...attribs },
  }
}

function withValidValues(attribs: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  return Object.fromEntries(
    Object.entries(attribs).filter(([name, value]) => validValues[name]?.test(value.trim()) ?? true),
  )
}

// Postgres can't store NUL or lone surrogates; other control characters only hide things.
function withoutControlCharacters(text: string): string {
  return text.toWellFormed().replace(/[^\P{Cc}\t\n\r]/gu, '')
}

/** Decodes the four entities that sanitize-html writes; `&amp;` last, so that escaped entities stay escaped. */
function decodeEscapes(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
