const isolates = '\u2066\u2067\u2068'
const popIsolate = '\u2069'
const embeddings = '\u202a\u202b\u202d\u202e'
const popEmbedding = '\u202c'
const controls = /[\u202a-\u202e\u2066-\u2069]/
const everyControl = new RegExp(controls, 'g')
const paragraphEnd = /[\n\r\u0085\u2029]/

/**
 * Removes the characters that change the direction of a text without an end, and ends without a beginning, because they
 * also turn the text behind them. Pairs stay, as the Unicode Bidirectional Algorithm matches them (UAX 9, BD9 and X7).
 */
export function balanceBidi(text: string): string {
  return balanceBidiOf([text])[0] ?? ''
}

/** Does the same for texts that are read as one, such as those of one paragraph. */
export function balanceBidiOf(texts: readonly string[]): string[] {
  if (!texts.some((text) => controls.test(text))) return [...texts]
  const removed = unpairedPositions(texts.join(''))
  let offset = 0
  return texts.map((text) => {
    const start = offset
    offset += text.length
    return text.replace(everyControl, (control, index: number) => (removed.has(start + index) ? '' : control))
  })
}

function unpairedPositions(text: string): ReadonlySet<number> {
  const unpaired = new Set<number>()
  const open: { position: number; isIsolate: boolean }[] = []
  const dropFrom = (depth: number) => {
    for (const { position } of open.splice(depth)) unpaired.add(position)
  }
  for (let position = 0; position < text.length; position++) {
    const character = text.charAt(position)
    if (isolates.includes(character)) open.push({ position, isIsolate: true })
    else if (embeddings.includes(character)) open.push({ position, isIsolate: false })
    else if (character === popIsolate) {
      const isolate = open.findLastIndex(({ isIsolate }) => isIsolate)
      if (isolate < 0) unpaired.add(position)
      else {
        // The end of an isolate also ends what began inside it.
        dropFrom(isolate + 1)
        open.pop()
      }
    } else if (character === popEmbedding) {
      if (open.at(-1)?.isIsolate === false) open.pop()
      else unpaired.add(position)
    } else if (paragraphEnd.test(character)) dropFrom(0)
  }
  dropFrom(0)
  return unpaired
}
