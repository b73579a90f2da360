import sanitizeHtml from 'sanitize-html'

declare const cleaned: unique symbol

/** HTML that `cleanHtml` has let through; nothing else makes one, so it may be shown as it is. */
export type SafeHtml = string & { readonly [cleaned]: true }

const deepestNesting = 30
const mostPasses = 8
const linkProtocols = new Set(['http:', 'https:', 'mailto:'])
const blockTags = ['p', 'h2', 'h3', 'ul', 'ol', 'li', 'blockquote']
const cellTags = ['th', 'td']
const tableTags = ['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', ...cellTags]
const inlineTags = [
  ...['strong', 'b', 'em', 'i', 'u', 's', 'a', 'code', 'sup', 'sub', 'abbr'],
  ...['span', 'bdi', 'bdo', 'ruby', 'rt', 'rp'],
]
const emptyTags = ['br', 'hr']
const allowedTags = [...blockTags, ...tableTags, ...inlineTags, ...emptyTags]

const tagsRenamed: Readonly<Record<string, string>> = {
  h1: 'h2',
  h4: 'h3',
  h5: 'h3',
  h6: 'h3',
  del: 's',
  strike: 's',
  menu: 'ul',
}

// Block elements that prose doesn't have become paragraphs, so that their words stay apart.
const tagsMadeParagraphs = [
  ...[
    'address',
    'article',
    'aside',
    'center',
    'dd',
    'details',
    'dialog',
    'div',
    'dl',
    'dt',
    'fieldset',
    'figcaption',
  ],
  ...[
    'figure',
    'footer',
    'form',
    'header',
    'hgroup',
    'legend',
    'main',
    'nav',
    'pre',
    'search',
    'section',
    'summary',
  ],
]

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

const languageTag = /^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,6}$/i
const valuesKept: Readonly<Record<string, RegExp>> = {
  dir: /^(?:ltr|rtl|auto)$/i,
  lang: languageTag,
  colspan: /^(?:[1-9]|1\d|20)$/,
  rowspan: /^(?:[1-9]|1\d|20)$/,
  scope: /^(?:row|col|rowgroup|colgroup)$/i,
}

/** Builds the rules of one run. They count open tables: only the parts of the outermost one stay a table. */
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
    nonTextTags: tagsDroppedWhole,
    nestingLimit: deepestNesting,
    onOpenTag: (tag) => {
      if (tag === 'table') openTables++
    },
    onCloseTag: (tag) => {
      if (tag === 'table') openTables--
    },
    exclusiveFilter: ({ tag, text }) => (tag === 'p' || tag === 'table') && text.trim() === '',
    transformTags: {
      ...tagsRenamed,
      ...Object.fromEntries(tagsMadeParagraphs.map((tag) => [tag, 'p'])),
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
  const html = untilNothingChanges(dirty)
  // biome-ignore lint/plugin: the brand exists only for the compiler, and this line is what it stands for.
  return html as SafeHtml
}

/**
 * Lists what {@link cleanHtml} removes: tags such as `<script>`, attributes such as `style`, and links without an
 * http, https or mailto address. Each is listed once, in order of appearance, without what paragraphs replace.
 */
export function listRemoved(dirty: string): string[] {
  const removed = new Set<string>()
  const renamed = new Set([...Object.keys(tagsRenamed), ...tagsMadeParagraphs])
  let droppedDepth = 0
  sanitizeHtml(dirty, {
    ...createRules(),
    onOpenTag: (tag, attribs) => {
      if (droppedDepth > 0 || tagsDroppedWhole.includes(tag)) droppedDepth++
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
    (name) => !(name in valuesKept && name in kept) && !(tag === 'abbr' && name === 'title'),
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

// Taking a tag out can leave its neighbours nested in a way that reads differently the next time, and what reads
// differently twice is how cleaned markup comes alive again. What never settles is kept as bare words.
function untilNothingChanges(html: string): string {
  let before = html
  for (let pass = 0; pass < mostPasses; pass++) {
    const after = withoutControlCharacters(
      sanitizeHtml(withoutControlCharacters(before), createRules()),
    ).trim()
    if (after === before) return after
    before = after
  }
  return sanitizeHtml(before, { allowedTags: [] }).trim()
}

/** A link that opens elsewhere without a referrer. Without a valid address, only its words stay. */
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

/** Drops attributes whose value is not one that their name allows. */
function withValidValues(attribs: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  return Object.fromEntries(
    Object.entries(attribs).filter(([name, value]) => valuesKept[name]?.test(value.trim()) ?? true),
  )
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
