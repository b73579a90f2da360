/** The values of CSS properties by name. Both are in lower case. */
export type Declarations = ReadonlyMap<string, string>

const none: Declarations = new Map()

/** Creates a reader of `style` attributes that parses each text once: a document repeats a few of them. */
export function createStyleReader() {
  const known = new Map<string, Declarations>()
  return (style: string | undefined): Declarations => {
    if (style === undefined || style === '') return none
    const parsed = known.get(style) ?? parseDeclarations(style)
    known.set(style, parsed)
    return parsed
  }
}

export type StyleReader = ReturnType<typeof createStyleReader>

/** Parses the declarations of a rule or a `style` attribute. The last one of a property counts, and `!important` before it. */
export function parseDeclarations(style: string): Declarations {
  const values = new Map<string, string>()
  const important = new Set<string>()
  for (const declaration of splitOutsideQuotes(style.toLowerCase())) {
    const colon = declaration.indexOf(':')
    if (colon < 0) continue
    const name = declaration.slice(0, colon).trim()
    const written = declaration.slice(colon + 1).trim()
    const bang = written.lastIndexOf('!')
    const isImportant = bang >= 0 && written.slice(bang + 1).trim() === 'important'
    if (important.has(name) && !isImportant) continue
    if (isImportant) important.add(name)
    values.set(name, isImportant ? written.slice(0, bang).trim() : written)
  }
  return values
}

/** Splits at semicolons, except in quotes and parentheses. */
function splitOutsideQuotes(text: string): string[] {
  const parts: string[] = []
  let start = 0
  let quote = ''
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '(') depth++
    else if (character === ')') depth = Math.max(0, depth - 1)
    else if (character === ';' && depth === 0) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  return [...parts, text.slice(start)]
}
