// Elements without an end tag.
const voidNames = new Set(
  'area base basefont br col embed frame hr image img input isindex link meta param source track wbr'.split(
    ' ',
  ),
)
const elementNames = new Set(
  `a abbr address applet article aside audio b bdi bdo big blink blockquote body button canvas center cite code
  data dd del details dfn dialog div dl dt em fieldset figcaption figure font footer form frameset h1 h2 h3 h4 h5 h6
  head header hgroup html i iframe ins kbd label layer legend li listing main map mark marquee math menu nav noembed
  noframes noscript object ol optgroup option output p picture plaintext pre q rp rt ruby s samp script search section
  select slot small span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time
  title tr tt u ul var video xml xmp`.split(/\s+/),
)

// Elements whose end tag HTML lets authors leave out, with the elements that give them away.
const impliedEnds: Readonly<Record<string, readonly string[]>> = {
  p: ['p'],
  li: ['li', 'ul', 'ol', 'menu'],
  dt: ['dt', 'dd', 'dl'],
  dd: ['dt', 'dd', 'dl'],
  tr: ['tr', 'table'],
  td: ['td', 'table'],
  th: ['th', 'table'],
}

const tagPattern = /<(\/?)([a-z][a-z0-9:-]*)((?:[\s/](?:"[^"]*"|'[^']*'|[^"'<>])*)?)>/gi
const commentPattern = /<!--[\s\S]*?-->/g

type Tag = { at: number; name: string; isEnd: boolean }

/**
 * Returns a comment as HTML if its author wrote HTML, else null. Tags in pairs and tags that stand alone, such as `<br>`,
 * are markup. All other signs are text: `use <script> tags`, `List<String>`, `a <b> c`.
 */
export function typedMarkup(text: string): string | null {
  const tags = [...text.matchAll(tagPattern)].map(
    ({ index: at, 1: slash, 2: name = '' }): Tag => ({ at, name: name.toLowerCase(), isEnd: slash === '/' }),
  )
  const paired = pairs(tags)
  const pairedNames = new Set(tags.filter((tag) => paired.has(tag)).map(({ name }) => name))
  const isMarkup = (tag: Tag) =>
    paired.has(tag) ||
    (!tag.isEnd && voidNames.has(tag.name)) ||
    (!tag.isEnd && (impliedEnds[tag.name] ?? []).some((name) => pairedNames.has(name)))
  const markup = tags.filter(isMarkup)
  if (!markup.some(({ name }) => elementNames.has(name) || voidNames.has(name))) return null
  const comments = [...text.matchAll(commentPattern)].map(({ index }) => index)
  const kept = new Set([...markup.map(({ at }) => at), ...comments])
  return text.replaceAll('<', (sign, at: number) => (kept.has(at) ? sign : '&lt;'))
}

/** Returns the tags that belong together: each end tag with the nearest open tag of its name. */
function pairs(tags: readonly Tag[]): ReadonlySet<Tag> {
  const paired = new Set<Tag>()
  const open = new Map<string, Tag[]>()
  for (const tag of tags) {
    if (!tag.isEnd) open.set(tag.name, [...(open.get(tag.name) ?? []), tag])
    const start = tag.isEnd ? open.get(tag.name)?.pop() : undefined
    if (start !== undefined) paired.add(start).add(tag)
  }
  return paired
}
