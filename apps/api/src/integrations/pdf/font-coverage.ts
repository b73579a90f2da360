/** Stands for characters that no font has. */
const substitute = '□'
// Fonts need no glyph for these: joiners, marks of direction, variation selectors, tags.
const invisible = /\p{Default_Ignorable_Code_Point}/u
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * Returns a function that replaces each character which none of some fonts can show, with its accents, by `□`: PDF/UA
 * allows no missing glyph. Reads a font when a text first needs it.
 */
export function createSubstitution(
  readFont: (file: string) => Buffer,
): (text: string, fontFiles: readonly string[]) => string {
  const read = new Map<string, ReadonlySet<number>>()

  function coverageOf(file: string): ReadonlySet<number> {
    const known = read.get(file) ?? readCoverage(readFont(file))
    read.set(file, known)
    return known
  }

  return (text, fontFiles) => {
    // Printable ASCII is in the first font.
    if (/^[ -~]*$/.test(text)) return text
    return Array.from(graphemes.segment(text), ({ segment }) => {
      const codePoints = visibleCodePoints(segment)
      const canShow = (file: string) => codePoints.every((code) => coverageOf(file).has(code))
      return fontFiles.some(canShow) ? segment : substitute
    }).join('')
  }
}

function visibleCodePoints(text: string): number[] {
  return Array.from(text).flatMap((character) =>
    invisible.test(character) || /\s/.test(character) ? [] : [character.codePointAt(0) ?? 0],
  )
}

/** Returns the code points of a TrueType or OpenType font, from the 32-bit or else the 16-bit table of its `cmap`. */
function readCoverage(font: Buffer): Set<number> {
  const cmap = tableOf(font, 'cmap')
  const subtables = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) =>
    cmap.subarray(cmap.readUInt32BE(8 + 8 * index)),
  )
  const wide = subtables.find((table) => table.readUInt16BE(0) === 12)
  const narrow = subtables.find((table) => table.readUInt16BE(0) === 4)
  if (wide !== undefined) return readGroups(wide)
  return narrow === undefined ? new Set() : readSegments(narrow)
}

function tableOf(font: Buffer, name: string): Buffer {
  const tables = font.readUInt16BE(4)
  for (let record = 12; record < 12 + 16 * tables; record += 16) {
    if (font.toString('latin1', record, record + 4) !== name) continue
    return font.subarray(font.readUInt32BE(record + 8))
  }
  throw new Error(`The font has no table ${name}.`)
}

/** Reads format 12: the first and last code point of each group and the glyph of the first. */
function readGroups(table: Buffer): Set<number> {
  const codePoints = new Set<number>()
  for (let group = 0; group < table.readUInt32BE(12); group += 1) {
    const at = 16 + 12 * group
    const start = table.readUInt32BE(at)
    const glyph = table.readUInt32BE(at + 8)
    for (let code = start; code <= table.readUInt32BE(at + 4); code += 1) {
      if (glyph + code - start !== 0) codePoints.add(code)
    }
  }
  return codePoints
}

/** Reads format 4: arrays of the last and first code points of segments, of differences and of offsets to glyphs. */
function readSegments(table: Buffer): Set<number> {
  const codePoints = new Set<number>()
  const size = table.readUInt16BE(6)
  for (let segment = 0; segment < size; segment += 2) {
    const end = table.readUInt16BE(14 + segment)
    const start = table.readUInt16BE(16 + size + segment)
    const delta = table.readUInt16BE(16 + 2 * size + segment)
    const offsetAt = 16 + 3 * size + segment
    const offset = table.readUInt16BE(offsetAt)
    for (let code = start; code <= end && code < 0xffff; code += 1) {
      const glyph = offset === 0 ? code + delta : table.readUInt16BE(offsetAt + offset + 2 * (code - start))
      if (glyph % 0x10000 !== 0) codePoints.add(code)
    }
  }
  return codePoints
}
