import type { PdfCell, PdfLanguage, PdfNode, PdfTable } from '#integrations/pdf/pdf-document.ts'
import type { HtmlElement } from './html-elements.ts'

type Conversion = {
  languageAttributes(element: HtmlElement): PdfLanguage
  item(cell: HtmlElement): PdfNode[]
}

/** Converts a simple table. Places each cell as browsers do, within its section. */
export function toPdfTable(table: HtmlElement, { languageAttributes, item }: Conversion): PdfTable {
  const caption = elementsOf(table).find(({ name }) => name === 'caption')
  const sections = elementsOf(table).filter(({ name }) => name !== 'caption')
  const headRows = sections.filter(({ name }) => name === 'thead').flatMap(rowsOf)
  const otherRows = sections.filter(({ name }) => name !== 'thead').flatMap(rowsOf)
  // Without a head, a first row of headings is one.
  const isFirstHead = headRows.length === 0 && otherRows.length > 1 && otherRows[0]?.every(isHeading) === true
  const heads = isFirstHead ? otherRows.slice(0, 1) : headRows
  const head = placed(heads, 0)
  const rows = placed(isFirstHead ? otherRows.slice(1) : otherRows, heads.length)
  const cells = [...head, ...rows].flat()
  return {
    tag: 'table',
    ...languageAttributes(table),
    children: [],
    columns: Math.max(1, ...cells.map(({ x, colspan }) => x + colspan)),
    caption:
      caption === undefined ? null : { tag: 'div', ...languageAttributes(caption), children: item(caption) },
    head,
    rows,
  }

  function placed(rowElements: readonly HtmlElement[][], firstY: number): PdfCell[][] {
    const taken = new Set<string>()
    return rowElements.map((row, index) => {
      let x = 0
      return row.map((cell) => {
        while (taken.has(`${x} ${index}`)) x += 1
        const rowspan = Math.min(spanOf(cell, 'rowspan'), rowElements.length - index)
        // A cell that spans columns ends before one that spans rows from above.
        let colspan = 1
        while (colspan < spanOf(cell, 'colspan') && !taken.has(`${x + colspan} ${index}`)) colspan += 1
        for (let right = 0; right < colspan; right += 1) {
          for (let down = 0; down < rowspan; down += 1) taken.add(`${x + right} ${index + down}`)
        }
        const children = item(cell)
        const place = { x, y: firstY + index, colspan, rowspan }
        return { tag: 'cell', ...languageAttributes(cell), ...place, isHeading: isHeading(cell), children }
      })
    })
  }
}

function elementsOf({ children }: HtmlElement): HtmlElement[] {
  return children.flatMap((child) => (typeof child === 'string' ? [] : [child]))
}

/** Returns the rows of a section, with their cells; a row without cells is none. */
function rowsOf(section: HtmlElement): HtmlElement[][] {
  const rows = section.name === 'tr' ? [section] : elementsOf(section).filter(({ name }) => name === 'tr')
  return rows.map((row) => elementsOf(row)).filter((cells) => cells.length > 0)
}

function isHeading({ name }: HtmlElement): boolean {
  return name === 'th'
}

function spanOf({ attributes }: HtmlElement, name: 'colspan' | 'rowspan'): number {
  return Number(attributes[name] ?? 1)
}
