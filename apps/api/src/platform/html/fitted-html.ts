/** An allowed element, in a place where every parser leaves it. */
export type FittedElement = {
  name: string
  attributes: Readonly<Record<string, string>>
  children: (FittedElement | string)[]
}

/** The inline elements around words, outermost first. */
export type InlineElements = readonly Pick<FittedElement, 'name' | 'attributes'>[]

/** Where words go. */
export type Place = {
  /** The innermost block. */
  block: FittedElement
  /** The paragraph in it, which the first words open; null for words without a paragraph. */
  paragraph: Pick<FittedElement, 'attributes'> | null
  inline: InlineElements
}

/** Begins a line in a block. {@link pruneHtml} replaces it. */
export const lineStart = 'line-start'

const spaces = /^[ \t\n\r\f]*$/

/** Writes words into blocks. Words of one place follow each other in one run, until a block or a line begins. */
export function createHtmlWriter() {
  let run: { place: Place; open: FittedElement[]; inline: InlineElements } | null = null

  function isRunning(place: Place): boolean {
    return run !== null && run.place.block === place.block && run.place.paragraph === place.paragraph
  }

  /** Returns the open elements at a place, the innermost last, after closing and opening inline elements. */
  function openAt(place: Place, inline: InlineElements): FittedElement[] {
    const { block, paragraph } = place
    if (run === null || !isRunning(place)) {
      const first = paragraph === null ? block : { name: 'p', attributes: paragraph.attributes, children: [] }
      block.children.push(paragraph === null ? { name: lineStart, attributes: {}, children: [] } : first)
      run = { place, open: [first], inline: [] }
    }
    const { open } = run
    const shared = countShared(run.inline, inline)
    open.length = shared + 1
    for (const { name, attributes } of inline.slice(shared)) {
      const element: FittedElement = { name, attributes, children: [] }
      open.at(-1)?.children.push(element)
      open.push(element)
    }
    run.inline = inline
    return open
  }

  return {
    addText(place: Place, text: string): void {
      if (!spaces.test(text) || isRunning(place)) openAt(place, place.inline).at(-1)?.children.push(text)
      else place.block.children.push(text)
    },

    /** Adds a line break in the inline elements that are open; it opens none. */
    addLineBreak(place: Place): void {
      const shared = isRunning(place) && run !== null ? countShared(run.inline, place.inline) : 0
      const open = openAt(place, place.inline.slice(0, shared))
      open.at(-1)?.children.push({ name: 'br', attributes: {}, children: [] })
    },

    addBlock(place: Place, block: FittedElement): void {
      run = null
      place.block.children.push(block)
    },

    endLine(): void {
      run = null
    },
  }
}

export type HtmlWriter = ReturnType<typeof createHtmlWriter>

function countShared(one: InlineElements, other: InlineElements): number {
  const end = one.findIndex((each, index) => other[index] !== each)
  return end < 0 ? one.length : end
}
